"""Random PartiQL statements, alone, in batches and in transactions: most of them valid, some with one thing wrong."""

import copy

from comparison.random_expressions import ATTRIBUTES, INDEX_KEYS, NUMBERS, STRINGS, Expressions, a_set, scalar
from comparison.random_requests import KEY_VALUES, Requests

COMPARISONS = ["=", "<>", "!=", "<", "<=", ">", ">="]
RETURNING = ["ALL OLD", "ALL NEW", "MODIFIED OLD", "MODIFIED NEW"]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(value):
    """The text of a value; None if there is none, as for binaries."""
    kind, held = next(iter(value.items()))
    if kind == "S":
        return "'" + held.replace("'", "''") + "'"
    if kind == "N":
        return held
    if kind == "BOOL":
        return "true" if held else "false"
    if kind == "NULL":
        return "null"
    if kind in ("SS", "NS"):
        return "<<" + ", ".join(literal({kind[0]: member}) for member in held) + ">>"
    if kind == "L":
        members = [literal(member) for member in held]
        return None if None in members else "[" + ", ".join(members) + "]"
    if kind == "M":
        members = {name: literal(member) for name, member in held.items()}
        if None in members.values():
            return None
        return "{" + ", ".join(f"'{name}': {member}" for name, member in members.items()) + "}"
    return None


class Words(Expressions):
    """The parts of one statement, written from left to right: its question marks are counted in that order."""

    def __init__(self, dice):
        super().__init__(dice)
        self.values = []

    def parameters(self):
        return {"Parameters": self.values} if self.values else {}

    def name(self, attribute):
        return attribute if self.dice.random() < 0.97 else quoted(attribute)

    def value(self, attribute_value):
        text = literal(attribute_value) if self.dice.random() < 0.6 else None
        if text is not None:
            return text
        self.values.append(attribute_value)
        return "?"

    def key_value(self, schema, name):
        kind = schema.types[name]
        return self.value({kind: self.dice.choice(KEY_VALUES[kind])})

    def comparison(self):
        dice = self.dice
        path = self.path(nesting=0.1)
        values = lambda: ", ".join(self.any_value() for _ in range(dice.randint(1, 3)))
        common = [
            lambda: f"{path} {dice.choice(COMPARISONS)} {self.operand()}",
            lambda: f"{path} {dice.choice(COMPARISONS)} {self.any_value()}",
            lambda: f"{path} BETWEEN {' AND '.join(self.bounds())}",
            lambda: f"{path} IN [{values()}]",
            lambda: f"{path} IN ({values()})",
            lambda: f"begins_with({path}, {self.value({'S': dice.choice(STRINGS[1:])})})",
            lambda: f"contains({path}, {self.value(scalar(dice))})",
            lambda: f"{path} IS {dice.choice(['', 'NOT '])}MISSING",
            lambda: f"pk {dice.choice(COMPARISONS)} {self.any_value()}",
        ]
        # What few peers know.
        rare = [
            lambda: super(Words, self).comparison(),
            lambda: f"attribute_exists({path}) = {dice.choice(['true', 'false'])}",
            lambda: f"size({path}) BETWEEN 0 AND {dice.randint(0, 3)}",
            lambda: f"{path} IS {dice.choice(['NULL', 'NOT NULL', 'BOOL', 'STRING'])}",
            lambda: f"{path} NOT IN [{values()}]",
            lambda: f"{path} NOT BETWEEN {' AND '.join(self.bounds())}",
            lambda: f"{self.any_value()} {dice.choice(COMPARISONS)} {path}",
        ]
        return dice.choice(common if dice.random() < 0.92 else rare)()

    def condition(self, depth=0):
        if depth < 2 and self.dice.random() < 0.1:
            return f"NOT ({self.condition(depth + 1)})"
        return super().condition(depth)

    def among_others(self):
        """A condition that can be joined by AND."""
        return self.condition(1)


class Statements(Requests):
    def next(self):
        operation = self.dice.choices(["ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"], [6, 1, 1])[0]
        request = {
            "ExecuteStatement": self.execute_statement,
            "BatchExecuteStatement": self.batch_execute_statement,
            "ExecuteTransaction": self.execute_transaction,
        }[operation]()
        self.spoiled = self.dice.random() < 0.2
        if self.spoiled:
            request = StatementSpoiler(self.dice).spoil(operation, request)
        return operation, request

    def execute_statement(self):
        if self.dice.random() < 0.5:
            request = self.select()
            self.some(request, Limit=[1, 2, 3, 100], ConsistentRead=[True, False])
        else:
            request = self.write()
            if self.dice.random() < 0.2:
                request["ReturnValuesOnConditionCheckFailure"] = self.dice.choice(["ALL_OLD", "NONE"])
        return self.some(request, ReturnConsumedCapacity=["TOTAL", "INDEXES", "NONE"])

    def batch_execute_statement(self):
        members = self.members([self.single_select], [self.write])
        for member in members:
            if self.dice.random() < 0.1:
                member["ConsistentRead"] = True
        return self.some({"Statements": members}, ReturnConsumedCapacity=["TOTAL", "INDEXES"])

    def execute_transaction(self):
        members = self.members([self.single_select], [self.write_without_returning] * 9 + [self.exists])
        return self.some({"TransactStatements": members}, ReturnConsumedCapacity=["TOTAL", "INDEXES"])

    def members(self, reads, writes):
        """Statements that all read or all write, nearly always."""
        makers = self.dice.choices([reads, writes, reads + writes], [4, 8, 1])[0]
        return [self.dice.choice(makers)() for _ in range(self.dice.randint(1, 3))]

    def statement(self, words, text):
        if self.dice.random() < 0.01:
            text += self.dice.choice([";", " -- as it was", " /* all */ ;"])
        return {"Statement": text, **words.parameters()}

    def select(self):
        dice, words, schema = self.dice, Words(self.dice), self.schema()
        index = dice.choice([None, *schema.indexes]) if dice.random() < 0.5 else None
        keys = schema.indexes[index] if index else schema.key
        source = quoted(schema.name) + (f".{quoted(index)}" if index else "")
        text = f"SELECT {self.columns(words)} FROM {source}"
        roll = dice.random()
        if roll < 0.65:
            text += f" WHERE {self.key_conditions(words, schema, keys)}{self.ordering(keys, 0.3)}"
        elif roll < 0.9:
            text += f" WHERE {words.condition()}{self.ordering(keys, 0.05)}"
        else:
            text += self.ordering(keys, 0.05)
        return self.statement(words, text)

    def columns(self, words):
        if self.dice.random() < 0.6:
            return "*"
        keys = ["pk", "sk"] if self.dice.random() < 0.3 else []
        return ", ".join([*keys, *(words.path(name, 0.25) for name in words.attributes(3))])

    def ordering(self, keys, chance):
        if self.dice.random() > chance:
            return ""
        chosen = self.dice.choices([keys[-1:], keys[:1], keys, [self.dice.choice(ATTRIBUTES)]], [6, 4, 6, 1])[0]
        return " ORDER BY " + ", ".join(name + self.dice.choice(["", " ASC", " DESC"]) for name in chosen)

    def key_conditions(self, words, schema, keys):
        dice = self.dice
        operand = lambda name: words.key_value(schema, name)
        several = lambda name: ", ".join(map(words.value, self.different_values(schema.types[name])))
        hash_, range_ = keys[0], keys[-1]

        def of_the_range():
            return dice.choice(
                [
                    lambda: f"{range_} {dice.choice(['=', '<', '<=', '>', '>='])} {operand(range_)}",
                    lambda: f"{range_} {dice.choice(COMPARISONS)} {operand(range_)}",
                    lambda: f"{range_} BETWEEN {operand(range_)} AND {operand(range_)}",
                    lambda: f"begins_with({range_}, {operand(range_)})",
                    lambda: f"{range_} IN [{several(range_)}]",
                    lambda: f"({range_} = {operand(range_)} OR {range_} {dice.choice('=><')} {operand(range_)})",
                    lambda: f"NOT {range_} {dice.choice(['=', '<', '>'])} {operand(range_)}",
                    lambda: f"{range_} > {operand(range_)} AND {range_} <= {operand(range_)}",
                ]
            )()

        def of_one():
            text = f"{hash_} = {operand(hash_)}" if dice.random() < 0.85 else f"{hash_} IN [{several(hash_)}]"
            if len(keys) > 1 and dice.random() < 0.6:
                text += f" AND {of_the_range()}"
            if dice.random() < 0.3:
                text += f" AND {words.among_others()}"
            return text

        roll = dice.random()
        if roll < 0.8:
            return of_one()
        if roll < 0.95:
            return f"{of_one()} OR {of_one()}"
        return f"({of_one()}) AND ({of_one()} OR {of_one()})"

    def different_values(self, kind):
        """Nearly always: reads that overlap are refused."""
        values = KEY_VALUES[kind]
        chosen = self.dice.sample(values, 3) if self.dice.random() < 0.95 else self.dice.choices(values, k=3)
        return [{kind: each} for each in chosen[: self.dice.randint(1, 3)]]

    def key_equalities(self, words, schema):
        names = list(schema.key)
        if self.dice.random() < 0.2:
            names.reverse()
        return " AND ".join(f"{words.name(name)} = {words.key_value(schema, name)}" for name in names)

    def single_select(self):
        words, schema = Words(self.dice), self.schema()
        text = f"SELECT {self.columns(words)} FROM {quoted(schema.name)} WHERE {self.key_equalities(words, schema)}"
        if self.dice.random() < 0.05:
            text += f" AND {words.among_others()}"
        return self.statement(words, text)

    def exists(self):
        words, schema = Words(self.dice), self.schema()
        where = f"{self.key_equalities(words, schema)} AND {words.among_others()}"
        return self.statement(words, f"EXISTS(SELECT * FROM {quoted(schema.name)} WHERE {where})")

    def write(self, returning=0.4):
        return self.dice.choices([self.insert, self.update, self.delete], [3, 6, 2])[0](returning)

    def write_without_returning(self):
        return self.write(0.02)

    def insert(self, _):
        words, schema = Words(self.dice), self.schema()
        members = ", ".join(f"'{name}': {words.value(member)}" for name, member in self.item(schema).items())
        return self.statement(words, f"INSERT INTO {quoted(schema.name)} VALUE {{{members}}}")

    def where(self, words, schema):
        text = self.key_equalities(words, schema)
        if self.dice.random() < 0.1:
            text = f"({text})"
        if self.dice.random() < 0.25:
            text += f" AND {words.among_others()}"
        return f"WHERE {text}"

    def update(self, returning):
        words, schema = Words(self.dice), self.schema()
        table = quoted(schema.name)
        if self.dice.random() < 0.95:
            text = f"UPDATE {table} {self.changes(words)} {self.where(words, schema)}"
        else:
            text = f"FROM {table} {self.where(words, schema)} {self.changes(words)}"
        if self.dice.random() < returning:
            text += f" RETURNING {self.dice.choice(RETURNING)} *"
        return self.statement(words, text)

    def delete(self, returning):
        words, schema = Words(self.dice), self.schema()
        text = f"DELETE FROM {quoted(schema.name)} {self.where(words, schema)}"
        if self.dice.random() < returning:
            text += f" RETURNING {self.dice.choice(['ALL OLD', 'ALL OLD', 'ALL OLD', *RETURNING])} *"
        return self.statement(words, text)

    def changes(self, words):
        """Assignments, then what is removed, in nearly every case: few peers know other orders."""
        dice = self.dice
        kinds = [dice.choice(["SET", "SET", "SET", "REMOVE"]) for _ in range(dice.randint(1, 3))]
        if dice.random() < 0.9:
            assignments = kinds.count("SET")
            kinds = ["SET"] * assignments + ["REMOVE"] * (assignments < len(kinds))
        text, before = "", ""
        for kind, attribute in zip(kinds, dice.sample(ATTRIBUTES, len(kinds))):
            if kind == "REMOVE":
                text += f" REMOVE {words.path(attribute)}"
            else:
                text += "," if before == "SET" and dice.random() < 0.8 else " SET"
                text += f" {self.assignment(words, attribute)}"
            before = kind
        return text.strip()

    def assignment(self, words, attribute):
        dice = self.dice
        path = words.path(attribute)
        fits = attribute in INDEX_KEYS and dice.random() < 0.9
        if dice.random() < 0.5:
            fitting = {INDEX_KEYS[attribute]: dice.choice(KEY_VALUES[INDEX_KEYS[attribute]])} if fits else None
            return f"{path} = {words.value(fitting) if fitting else words.any_value()}"
        number = lambda: words.value({"N": dice.choice(NUMBERS[:8])})
        elements = lambda: words.value({"L": [scalar(dice) for _ in range(dice.randint(1, 2))]})
        common = [
            lambda: f"{path} = {path} {dice.choice('+-')} {number()}",
            lambda: f"{path} = {words.path()} {dice.choice('+-')} {number()}",
            lambda: f"{path} = list_append({path}, {elements()})",
        ]
        rare = [
            lambda: f"{path} = {words.path()}",
            lambda: f"{path} = list_append({elements()}, {words.path()})",
            lambda: f"{path} = set_add({path}, {words.value(a_set(dice))})",
            lambda: f"{path} = set_delete({path}, {words.value(a_set(dice))})",
            lambda: f"{path} = {number()} {dice.choice('+-')} {path}",
            lambda: f"{path} = {path} {dice.choice('+-')} {number()} {dice.choice('+-')} {words.path()}",
            lambda: f"{path} = ({number()} - {number()}) + {number()}",
        ]
        return dice.choice(common if dice.random() < 0.85 else rare)()


class StatementSpoiler:
    """Makes one thing wrong."""

    BAD_PARAMETERS = [
        {},
        {"S": "x", "N": "1"},
        {"N": "abc"},
        {"N": ""},
        {"N": "1" * 39},
        {"N": "1e126"},
        {"N": "1e-131"},
        {"SS": []},
        {"SS": ["a", "a"]},
        {"NS": ["1", "1.0"]},
        {"NULL": False},
    ]
    JUNK = [
        "&",
        ")",
        "(",
        "nonsense(a)",
        "OR",
        "AND",
        "NOT",
        "size",
        "'",
        '"',
        ",",
        "=",
        "WHERE",
        "?",
        "[",
        "<<>>",
        "1e126",
        "x y",
    ]
    # What stands in a valid statement, and what is wrong in its place.
    REPLACED = [
        ('"differential.hash"', '"no.such.table"'),
        ('"differential.range"', '"no.such.table"'),
        ('"differential.range"', '"differential.range"."no_such_index"'),
        ('"differential.range"', '"differential.range"."gsi_all"'),
        ('"differential.hash"', '"differential.hash"."x"."y"'),
        ('"differential.hash"', '""'),
        ('"differential.hash"', "differential.hash"),
        ('"differential.binary"', '"differential.binary" t'),
        ('"differential.binary"', '"differential.binary" AS t'),
        ("SELECT *", "SELECT COUNT(*)"),
        ("SELECT *", "SELECT size(a)"),
        ("SELECT *", "SELECT *, a"),
        ("SELECT *", "SELECT a[-1]"),
        ("SELECT *", "SELECT"),
        ("WHERE", ""),
        ("WHERE", "WHERE sk = 1 AND"),
        ("WHERE", "WHERE pk = 'a' AND"),
        ("WHERE", "WHERE attribute_exists('a') AND"),
        ("WHERE", "WHERE attribute_exists() AND"),
        ("WHERE", "WHERE attribute_type(a, 'X') AND"),
        ("WHERE", "WHERE a = 1 + 1 AND"),
        ("WHERE", "WHERE a > true AND"),
        ("WHERE", "WHERE a < [1] AND"),
        ("WHERE", "WHERE exists(a) AND"),
        ("WHERE", "WHERE a = 1" + "0" * 38 + "1 AND"),
        ("WHERE", "WHERE a IN [" + ", ".join(map(str, range(101))) + "] AND"),
        ("pk =", "pk <>"),
        ("pk =", "pk IN"),
        ("sk =", "sk >"),
        ("'pk':", "'other':"),
        ("'sk':", "'pk':"),
        ("VALUE", "VALUES"),
        ("VALUE {", "VALUE {'a': <<1, 'a'>>, "),
        ("VALUE {", "VALUE {'a': <<2, 2.0>>, "),
        ("VALUE {", "VALUE {'a': [?], "),
        ("SET", "SET pk = 'a',"),
        ("SET", "SET a = 1, a = 2,"),
        ("SET", "SET m.x = 1, m = 2,"),
        ("SET", "SET a = 'x' + 1,"),
        ("SET", "SET a = set_add(b, <<1>>),"),
        ("SET", "SET a = set_add(a, 1),"),
        ("SET", "SET a = set_add(a),"),
        ("REMOVE", "REMOVE pk REMOVE"),
        ("RETURNING ALL", "RETURNING SOME"),
        (" *", ""),
    ]

    def __init__(self, dice):
        self.dice = dice

    def spoil(self, operation, request):
        request = copy.deepcopy(request)
        members = request.get("Statements") or request.get("TransactStatements") or [request]
        self.dice.choices(
            [self.a_word, self.a_part, self.a_parameter, self.parameters, self.a_key, self.a_member], [4, 8, 2, 2, 1, 2]
        )[0](self.dice.choice(members), operation, request)
        return request

    def a_word(self, member, *_):
        words = member["Statement"].split(" ")
        position = self.dice.randrange(len(words))
        change = self.dice.choice(["drop", "twice", "junk", "cut"])
        if change == "drop":
            del words[position]
        elif change == "twice":
            words.insert(position, words[position])
        elif change == "cut":
            words = words[:position]
        else:
            words[position] = self.dice.choice(self.JUNK)
        member["Statement"] = " ".join(words)

    def a_part(self, member, *_):
        fitting = [(right, wrong) for right, wrong in self.REPLACED if right in member["Statement"]]
        if fitting:
            right, wrong = self.dice.choice(fitting)
            member["Statement"] = member["Statement"].replace(right, wrong, 1)

    def a_parameter(self, member, *_):
        if member.get("Parameters"):
            bad = copy.deepcopy(self.dice.choice(self.BAD_PARAMETERS))
            member["Parameters"][self.dice.randrange(len(member["Parameters"]))] = bad

    def parameters(self, member, *_):
        change = self.dice.choice(["none", "fewer", "more"])
        if change == "more":
            member.setdefault("Parameters", []).append({"S": "more"})
        elif change == "none":
            member["Parameters"] = []
        elif member.get("Parameters"):
            member["Parameters"].pop()

    def a_key(self, member, *_):
        """A value of another type."""
        for values in KEY_VALUES.values():
            for each in values:
                member["Statement"] = member["Statement"].replace(f"pk = '{each}'", self.dice.choice(["pk = 1", "pk = true"]), 1)

    def a_member(self, member, operation, request):
        change = self.dice.choice(["no statement", "empty", "enum", "limit", "none", "token", "failure"])
        if change == "no statement":
            del member["Statement"]
        elif change == "empty":
            member["Statement"] = self.dice.choice(["", " ", ";"])
        elif change == "enum":
            request["ReturnConsumedCapacity"] = "SOMETHING"
        elif change == "failure":
            member["ReturnValuesOnConditionCheckFailure"] = "SOMETHING"
        elif operation == "ExecuteStatement":
            request.update({"limit": {"Limit": 0}, "none": {"Limit": -1}, "token": {"NextToken": "nonsense"}}[change])
        elif change == "none":
            request["Statements" if operation == "BatchExecuteStatement" else "TransactStatements"] = []
