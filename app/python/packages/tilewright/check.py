"""Which names of a script are missing here, found in its text without running it."""

import ast
import json
import sys

from tilewright.names import Missing, canonical, lookup
from tilewright.names import tree

#: Public packages that belong to IPU scripts and of which nothing is there yet.
_ABSENT = ("tensorflow_addons", "tensorflow_probability", "tensorflow_datasets", "horovod")


class Finding:
    """A missing name and where the script uses it."""

    def __init__(self, line, name):
        self.line, self.name = line, name

    def __eq__(self, other):
        return (self.line, self.name) == (other.line, other.name)

    def __repr__(self):
        return f"Finding({self.line}, {self.name!r})"


class _Reader(ast.NodeVisitor):
    """Follows names that stand for our modules through imports, plain assignments and attributes."""

    def __init__(self):
        self.scopes = [{}]
        self.findings = []

    # Names --------------------------------------------------------------------------------------------------------------

    def _bind(self, name, meaning):
        self.scopes[-1][name] = meaning

    def _meaning(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def _missing(self, node, name):
        finding = Finding(node.lineno, name)
        if finding not in self.findings:
            self.findings.append(finding)

    def _resolve(self, node):
        """The canonical module that an expression stands for, or None. Notes attributes that are missing."""
        if isinstance(node, ast.Name):
            return self._meaning(node.id)
        if isinstance(node, ast.Attribute):
            module = self._resolve(node.value)
            return None if module is None else self._attribute(node, module, node.attr)
        return None

    def _attribute(self, node, module, name):
        if name.startswith("__"):
            return None
        try:
            kind, target = lookup(module, name)
        except Missing as missing:
            self._missing(node, str(missing))
            return None
        return target if kind == "module" else None

    # Statements ---------------------------------------------------------------------------------------------------------

    def visit_Import(self, node):
        for alias in node.names:
            top = alias.name.split(".")[0]
            if top in _ABSENT:
                self._missing(node, alias.name)
            if top not in tree.TOPS:
                continue
            module = canonical(alias.name)
            if module not in tree.modules():
                self._missing(node, alias.name)
                continue
            self._bind(alias.asname or top, module if alias.asname else top)

    def visit_ImportFrom(self, node):
        if node.level or node.module is None:
            return
        top = node.module.split(".")[0]
        if top in _ABSENT:
            self._missing(node, node.module)
        if top not in tree.TOPS:
            return
        module = canonical(node.module)
        for alias in node.names:
            if module not in tree.modules():
                self._missing(node, f"{node.module}.{alias.name}")
            elif alias.name != "*":
                self._bind(alias.asname or alias.name, self._attribute(node, module, alias.name))

    def visit_Assign(self, node):
        self.visit(node.value)
        meaning = self._resolve(node.value) if isinstance(node.value, (ast.Name, ast.Attribute)) else None
        for target in node.targets:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    self._bind(name.id, meaning if isinstance(target, ast.Name) else None)
                elif isinstance(name, ast.Attribute) and isinstance(name.ctx, ast.Load):
                    self.visit(name)

    def visit_Attribute(self, node):
        self._resolve(node)
        if not isinstance(node.value, (ast.Name, ast.Attribute)):
            self.visit(node.value)

    def _function(self, node):
        for part in [*getattr(node, "decorator_list", []), *node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(part)
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *filter(None, (arguments.vararg, arguments.kwarg))]
        for argument in named:
            if argument.annotation is not None:
                self.visit(argument.annotation)
        self.scopes.append({argument.arg: None for argument in named})
        body = node.body if isinstance(node.body, list) else [node.body]
        for statement in body:
            self.visit(statement)
        self.scopes.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function

    def visit_ClassDef(self, node):
        for part in [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]:
            self.visit(part)
        self.scopes.append({})
        for statement in node.body:
            self.visit(statement)
        self.scopes.pop()


def missing_names(text, name="script"):
    """The Findings of a script's text, by line. Raises SyntaxError."""
    reader = _Reader()
    reader.visit(ast.parse(text, name))
    return sorted(reader.findings, key=lambda finding: (finding.line, finding.name))


def main(arguments):
    """Prints the missing names of scripts. The exit code is 1 if there are any."""
    as_json = "--json" in arguments
    arguments = [argument for argument in arguments if argument != "--json"]
    if not arguments:
        print("tilewright: --check needs the name of a script.", file=sys.stderr)
        return 2
    code, missing = 0, []
    for path in arguments:
        try:
            with open(path, encoding="utf-8") as file:
                findings = missing_names(file.read(), path)
        except OSError as error:
            print(f"tilewright: {path}: {error.strerror}.", file=sys.stderr)
            return 2
        except SyntaxError as error:
            print(f"tilewright: {path}:{error.lineno}: {error.msg}.", file=sys.stderr)
            return 2
        missing += [{"name": finding.name, "line": finding.line} for finding in findings]
        if as_json:
            code = 1 if findings else code
            continue
        for finding in findings:
            print(f"{path}:{finding.line}: {finding.name} is not there yet")
        if findings:
            code = 1
        else:
            print(f"{path}: every name that is used from tensorflow, keras and their relatives is there")
    if as_json:
        print(json.dumps({"missing": missing}))
    return code
