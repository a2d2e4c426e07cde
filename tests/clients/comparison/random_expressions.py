"""Random expressions with their placeholders, drawn from a small world of attributes so that many of them hold."""

ATTRIBUTES = ["a", "b", "c", "m", "l", "s", "g", "h"]
INDEX_KEYS = {"b": "S", "g": "S", "h": "N"}
STRINGS = ["", "a", "b", "ab", "abc", "x#1", "é"]
NUMBERS = ["0", "1", "-1", "2", "2.5", "10", "100", "0.001", "-7e3", "12345678901234567890123456789012345678"]
BINARIES = ["AA==", "AQ==", "AQI=", "/w=="]


def scalar(dice):
    kind = dice.choice(["S", "S", "N", "N", "B", "BOOL", "NULL"])
    return {
        "S": lambda: {"S": dice.choice(STRINGS)},
        "N": lambda: {"N": dice.choice(NUMBERS)},
        "B": lambda: {"B": dice.choice(BINARIES)},
        "BOOL": lambda: {"BOOL": dice.random() < 0.5},
        "NULL": lambda: {"NULL": True},
    }[kind]()


def a_set(dice):
    kind, members = dice.choice([("SS", STRINGS), ("NS", NUMBERS), ("BS", BINARIES)])
    return {kind: dice.sample(members, dice.randint(1, 3))}


def value(dice, depth=0):
    roll = dice.random()
    if roll < 0.6 or depth > 2:
        return scalar(dice)
    if roll < 0.75:
        return a_set(dice)
    if roll < 0.87:
        return {"L": [value(dice, depth + 1) for _ in range(dice.randint(0, 3))]}
    return {"M": {dice.choice("xyz"): value(dice, depth + 1) for _ in range(dice.randint(0, 3))}}


class Expressions:
    """Collects the names and values that the expressions of one request use."""

    def __init__(self, dice):
        self.dice = dice
        self.names = {}
        self.values = {}

    def parameters(self):
        request = {}
        if self.names:
            request["ExpressionAttributeNames"] = self.names
        if self.values:
            request["ExpressionAttributeValues"] = self.values
        return request

    def name(self, attribute):
        if self.dice.random() < 0.5 and len(attribute) < 3:
            return attribute
        placeholder = f"#{attribute}"
        self.names[placeholder] = attribute
        return placeholder

    def value(self, attribute_value):
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = attribute_value
        return placeholder

    def any_value(self):
        return self.value(value(self.dice))

    def path(self, attribute=None, nesting=0.15):
        text = self.name(attribute or self.dice.choice(ATTRIBUTES))
        while self.dice.random() < nesting:
            text += f".{self.dice.choice('xyz')}" if self.dice.random() < 0.6 else f"[{self.dice.randint(0, 2)}]"
        return text

    def operand(self):
        return self.path() if self.dice.random() < 0.2 else self.any_value()

    def comparison(self):
        dice = self.dice
        path = self.path()
        return dice.choice(
            [
                lambda: f"{path} {dice.choice(['=', '<>', '<', '<=', '>', '>='])} {self.operand()}",
                lambda: f"{path} BETWEEN {' AND '.join(self.bounds())}",
                lambda: f"{path} IN ({', '.join(self.any_value() for _ in range(dice.randint(1, 3)))})",
                lambda: f"attribute_exists({path})",
                lambda: f"attribute_not_exists({path})",
                lambda: f"attribute_type({path}, {self.value({'S': dice.choice(['S', 'N', 'B', 'L', 'M', 'SS', 'BOOL', 'NULL'])})})",
                lambda: f"begins_with({path}, {self.value({'S': dice.choice(STRINGS[1:])})})",
                lambda: f"contains({path}, {self.value(scalar(dice))})",
                lambda: f"size({path}) {dice.choice(['=', '<', '>'])} {self.value({'N': dice.choice(NUMBERS[:4])})}",
            ]
        )()

    def bounds(self):
        if self.dice.random() < 0.1:
            return self.any_value(), self.any_value()
        kind, values = self.dice.choice([("S", STRINGS), ("N", NUMBERS[:8])])
        first, second = (self.dice.randrange(len(values)) for _ in range(2))
        return self.value({kind: values[first]}), self.value({kind: values[second]})

    def condition(self, depth=0):
        roll = self.dice.random()
        if depth > 2 or roll < 0.6:
            return self.comparison()
        if roll < 0.75:
            return f"NOT {self.comparison()}"
        joined = f"{self.condition(depth + 1)} {self.dice.choice(['AND', 'OR'])} {self.condition(depth + 1)}"
        return f"({joined})" if depth else joined

    def projection(self):
        return ", ".join(self.path(attribute) for attribute in self.attributes(3))

    def attributes(self, count_max):
        """Different ones, nearly always: paths that overlap are refused."""
        if self.dice.random() < 0.05:
            return self.dice.choices(ATTRIBUTES, k=count_max)
        return self.dice.sample(ATTRIBUTES, self.dice.randint(1, count_max))

    def update(self):
        dice = self.dice
        attributes = self.attributes(4)
        sections = {}
        for attribute in attributes:
            section = dice.choices(["SET", "REMOVE", "ADD", "DELETE"], [6, 2, 2, 1])[0]
            if section == "SET":
                action = self._assignment(attribute)
            elif section == "REMOVE":
                action = self.path(attribute, 0.05)
            elif section == "ADD":
                action = f"{self.path(attribute, 0.05)} {self.value({'N': dice.choice(NUMBERS)} if dice.random() < 0.6 else a_set(dice))}"
            else:
                action = f"{self.path(attribute, 0.05)} {self.value(a_set(dice))}"
            sections.setdefault(section, []).append(action)
        return " ".join(f"{section} {', '.join(actions)}" for section, actions in sections.items())

    def _assignment(self, attribute):
        dice = self.dice
        path = self.path(attribute, 0.05)
        number = {"N": dice.choice(NUMBERS[:8])}
        fitting = (
            {INDEX_KEYS[attribute]: dice.choice(STRINGS[1:] if INDEX_KEYS[attribute] == "S" else NUMBERS)}
            if attribute in INDEX_KEYS
            else None
        )
        if dice.random() < 0.6:
            return f"{path} = {self.value(fitting) if fitting and dice.random() < 0.9 else self.any_value()}"
        return dice.choice(
            [
                lambda: f"{path} = {self.path()}",
                lambda: f"{path} = {self.path()} {dice.choice('+-')} {self.value(number)}",
                lambda: f"{path} = if_not_exists({self.path()}, {self.value(fitting) if fitting else self.any_value()})",
                lambda: f"{path} = if_not_exists({self.path()}, {self.value({'N': '0'})}) + {self.value(number)}",
                lambda: f"{path} = list_append(if_not_exists({path}, {self.value({'L': []})}), {self.value({'L': [scalar(dice)]})})",
            ]
        )()
