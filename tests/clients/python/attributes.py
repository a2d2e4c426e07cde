"""Items as Python writes them: item(pk="a", n=1) is {"pk": {"S": "a"}, "n": {"N": "1"}}, and plain() is the way back."""

from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

_serializer = TypeSerializer()
_deserializer = TypeDeserializer()


def value(python_value):
    return _serializer.serialize(python_value)


def item(attributes=None, **more):
    return {name: value(python_value) for name, python_value in {**(attributes or {}), **more}.items()}


def plain_value(attribute_value):
    return _without_wrappers(_deserializer.deserialize(attribute_value))


def plain(attributes):
    return {name: plain_value(attribute_value) for name, attribute_value in attributes.items()}


def plain_items(answer):
    return [plain(attributes) for attributes in answer["Items"]]


def _without_wrappers(python_value):
    """boto3 wraps binaries in a class of its own; bytes are easier to compare."""
    if isinstance(python_value, Binary):
        return bytes(python_value)
    if isinstance(python_value, list):
        return [_without_wrappers(element) for element in python_value]
    if isinstance(python_value, set):
        return {_without_wrappers(element) for element in python_value}
    if isinstance(python_value, dict):
        return {name: _without_wrappers(element) for name, element in python_value.items()}
    return python_value
