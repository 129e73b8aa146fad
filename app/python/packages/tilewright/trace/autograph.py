"""AutoGraph: Python's for, while, if, break, continue and return over tensors, by transforming the syntax tree.

A converted statement calls one of the functions below with closures for its parts. Whether it becomes a loop of the device
or stays Python is decided by the value at hand, when the function is traced.
"""

import ast
import functools
import inspect
import textwrap
import types

from tilewright.missing import not_yet
from tilewright.tf import errors
from tilewright.tf.optable import SymbolicTensor
from tilewright.trace import statements

#: Modules whose functions run as they are.
_PLAIN = ("tensorflow", "keras", "tilewright", "numpy", "collections", "re", "copy", "inspect", "threading", "functools", "itertools",
          "math", "os", "sys", "time", "random", "logging", "json", "ipu_tensorflow_addons", "popdist")
_converted = {}


def convert(function):
    """The function with its statements converted; itself where it cannot or need not be."""
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func), *function.args, **function.keywords)
    if inspect.ismethod(function):
        return types.MethodType(convert(function.__func__), function.__self__)
    if not isinstance(function, types.FunctionType) or not _is_own(function):
        return function
    made = _converted.get(function.__code__)
    if made is None:
        made = _converted[function.__code__] = _transform(function)
    if made is False:
        return function
    return _bind(made, function)


def _is_own(function):
    module = (function.__module__ or "").partition(".")[0]
    if module in _PLAIN or getattr(function, "__wrapped__", None) is not None or hasattr(function, "python_function"):
        return False
    return not inspect.isgeneratorfunction(function)


def _bind(code_maker, function):
    """The converted code with the closure, globals and defaults of the function."""
    made = code_maker(function)
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    return made


def _transform(function):
    try:
        lines, first = inspect.getsourcelines(function)
        source = textwrap.dedent("".join(lines))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return False  # no source, or a lambda inside an expression: it runs unconverted
    node = tree.body[0] if tree.body else None
    if not isinstance(node, (ast.FunctionDef,)) or not any(isinstance(part, (ast.For, ast.While, ast.If, ast.IfExp, ast.BoolOp, ast.Call))
                                                           for part in ast.walk(node)):
        return False
    ast.increment_lineno(tree, first - 1)
    node.decorator_list = []
    file = inspect.getsourcefile(function) or "<function>"
    _refuse(node, file)
    free = function.__code__.co_freevars
    _Rewriter(node, file).run()
    # The free variables become parameters of a function around it, whose cells are replaced by those of the original.
    outer = ast.FunctionDef(name="__outer", args=ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in free], kwonlyargs=[],
                                                               kw_defaults=[], defaults=[]), body=[node, ast.Return(ast.Name(node.name, ast.Load()))],
                            decorator_list=[])
    module = ast.fix_missing_locations(ast.Module([outer], []))
    code = compile(module, file, "exec")
    inner_code = _code_named(_code_named(code, "__outer"), node.name)

    def make(original):
        names = dict(zip(original.__code__.co_freevars, original.__closure__ or ()))
        scope = original.__globals__
        scope.setdefault("__tw", statements)
        cells = tuple(names[name] for name in inner_code.co_freevars)
        return types.FunctionType(inner_code, scope, original.__name__, None, cells)

    return make


def _code_named(code, name):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_name == name:
            return constant
    raise errors.InternalError(None, None, f"AutoGraph lost the function {name}.")


def _refuse(node, file):
    """Constructs that a loop or branch of the device cannot hold."""
    for part in ast.walk(node):
        if isinstance(part, (ast.For, ast.While)) and part.orelse:
            raise not_yet(f'{file}, line {part.lineno}: "else" of a loop in a tf.function')


def _assigned(statements_):
    """Names that the statements bind, in order; those of nested functions are their own."""
    names = []

    class Visitor(ast.NodeVisitor):
        def visit_Name(self, node):
            if isinstance(node.ctx, (ast.Store, ast.Del)) and node.id not in names:
                names.append(node.id)

        def visit_FunctionDef(self, node):
            if node.name not in names:
                names.append(node.name)

        def visit_Lambda(self, node):
            pass

        visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda

    for statement in statements_:
        Visitor().visit(statement)
    return names


def _read(statements_):
    return {node.id for statement in statements_ for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


class _Rewriter:
    """Rewrites the body of one function."""

    def __init__(self, function, file):
        self.function, self.file = function, file
        self.count = 0
        self.declared = {name for node in ast.walk(function) if isinstance(node, (ast.Nonlocal, ast.Global)) for name in node.names}

    def run(self):
        arguments = self.function.args
        self.parameters = [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                self.parameters.append(extra.arg)
        body = self.function.body
        returns = sum(isinstance(node, ast.Return) for node in self._own_nodes(body))
        if returns and not (returns == 1 and isinstance(body[-1], ast.Return)):
            body = self._single_return(body)
        self.function.body = self.block(body)

    @staticmethod
    def _own_nodes(statements_):
        stack = list(statements_)
        while stack:
            node = stack.pop()
            yield node
            if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
                stack.extend(ast.iter_child_nodes(node))

    # Returns, breaks and continues become flags ----------------------------------------------------------------------------

    def _single_return(self, body):
        """One return at the end: what follows an early return moves into the other branch."""
        body, _ = self._tail(list(body))
        return body

    def _tail(self, body):
        """The statements with every path ending in a return, if any does."""
        for i, statement in enumerate(body):
            if isinstance(statement, ast.Return):
                return body[:i + 1], True
            if isinstance(statement, ast.If) and any(isinstance(node, ast.Return) for node in self._own_nodes([statement])):
                rest = body[i + 1:]
                then, _ = self._tail(list(statement.body) + rest)
                other, _ = self._tail(list(statement.orelse) + rest)
                value = f"__tw_return_{self._next()}"
                made = ast.If(statement.test, self._store(then, value), self._store(other, value))
                ast.copy_location(made, statement)
                return body[:i] + [made, ast.copy_location(ast.Return(_load(value)), statement)], True
            if isinstance(statement, (ast.For, ast.While)) and any(isinstance(node, ast.Return) for node in self._own_nodes([statement])):
                raise not_yet(f'{self.file}, line {statement.lineno}: "return" inside a loop of a tf.function',
                              "Keep the value in a variable and return it behind the loop.")
        return body, False

    def _store(self, body, name):
        """The statements with a last return stored under a name."""
        if body and isinstance(body[-1], ast.Return):
            last = body[-1]
            value = last.value or ast.Constant(None)
            return body[:-1] + [ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), last)]
        return (body or []) + [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None))]

    def _next(self):
        self.count += 1
        return self.count

    def _without_jumps(self, loop):
        """The body of a loop without break and continue, the flags it uses, and the names of these."""
        broke, skipped = f"__tw_break_{self._next()}", f"__tw_continue_{self._next()}"
        uses = set()

        def guard(body):
            made = []
            for i, statement in enumerate(body):
                if isinstance(statement, (ast.Break, ast.Continue)):
                    flag = broke if isinstance(statement, ast.Break) else skipped
                    uses.add(flag)
                    made.append(ast.copy_location(ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(True)), statement))
                    return made
                if isinstance(statement, ast.If) and any(isinstance(node, (ast.Break, ast.Continue)) for node in self._jumps([statement])):
                    branch = ast.copy_location(ast.If(statement.test, guard(statement.body), guard(statement.orelse)), statement)
                    made.append(branch)
                    rest = guard(body[i + 1:])
                    if rest:
                        used = [name for name in (broke, skipped) if name in uses]
                        test = _load(used[0]) if len(used) == 1 else ast.BoolOp(ast.Or(), [_load(name) for name in used])
                        made.append(ast.copy_location(ast.If(ast.UnaryOp(ast.Not(), test), rest, []), statement))
                    return made
                made.append(statement)
            return made

        return guard(list(loop.body)), [name for name in (broke, skipped) if name in uses], broke, skipped

    def _jumps(self, statements_):
        """Nodes of the statements that belong to this loop, not to one inside."""
        stack = list(statements_)
        while stack:
            node = stack.pop()
            yield node
            if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.For, ast.While)):
                stack.extend(ast.iter_child_nodes(node))

    # Statements -----------------------------------------------------------------------------------------------------------

    def block(self, body):
        result = []
        for statement in body:
            result.extend(self.statement(statement))
        return result

    def statement(self, node):
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, ast.While):
            return self._while(node)
        if isinstance(node, ast.For):
            return self._for(node)
        if isinstance(node, (ast.With, ast.Try)):
            for field in ("body", "orelse", "finalbody"):
                if getattr(node, field, None):
                    setattr(node, field, self.block(getattr(node, field)))
            return [_Expressions().visit(node)]
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            if isinstance(node, ast.FunctionDef):
                _Rewriter(node, self.file).run()
            return [node]
        return [_Expressions().visit(node)]

    def _state(self, names):
        return [name for name in names if name not in self.declared]

    def _closures(self, number, names, parts):
        """Definitions of one function per part, which read and bind the names of the enclosing function."""
        made = []
        for label, (body, parameters) in parts.items():
            scope = ([ast.Nonlocal(names)] if names else []) + body
            made.append(ast.FunctionDef(name=f"__tw_{label}_{number}", args=_arguments(parameters), body=scope or [ast.Pass()],
                                        decorator_list=[]))
        return made

    def _prologue(self, names):
        """Names that have no value yet get the mark of that, so that closures can bind them."""
        return [ast.Try([ast.Expr(_load(name))], [ast.ExceptHandler(ast.Name("NameError", ast.Load()), None, [
            ast.Assign([ast.Name(name, ast.Store())], _call("undefined", [ast.Constant(name)]))])], [], []) for name in names]

    def _accessors(self, number, names):
        get = ast.FunctionDef(name=f"__tw_get_{number}", args=_arguments([]), decorator_list=[],
                              body=[ast.Return(ast.Tuple([_load(name) for name in names], ast.Load()))])
        value = ast.Name("__tw_values", ast.Load())
        body = [ast.Nonlocal(names), ast.Assign([ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())], value)] \
            if names else [ast.Pass()]
        put = ast.FunctionDef(name=f"__tw_set_{number}", args=_arguments(["__tw_values"]), decorator_list=[], body=body)
        return [get, put]

    def _statement_call(self, kind, number, names, parts, first, more=()):
        arguments = [*first, *(_load(f"__tw_{label}_{number}") for label in parts), _load(f"__tw_get_{number}"),
                     _load(f"__tw_set_{number}"), ast.Constant(tuple(names)), *more]
        return ast.Expr(_call(kind, arguments))

    def _place(self, node):
        return ast.Constant(f"{self.file}, line {node.lineno}")

    def _finish(self, node, made):
        return [ast.copy_location(ast.fix_missing_locations(ast.copy_location(part, node)), node) for part in made]

    def _if(self, node):
        number = self._next()
        names = self._state(_assigned([*node.body, *node.orelse]))
        test = _Expressions().visit(node.test)
        parts = {"then": (self.block(node.body), []), "else": (self.block(node.orelse), [])}
        made = [*self._prologue(names), *self._closures(number, names, parts), *self._accessors(number, names),
                self._statement_call("if_statement", number, names, parts, [test], [self._place(node)])]
        return self._finish(node, made)

    def _while(self, node):
        number = self._next()
        body, flags, broke, skipped = self._without_jumps(node)
        test = node.test
        if broke in flags:
            test = ast.BoolOp(ast.And(), [ast.UnaryOp(ast.Not(), _load(broke)), test])
        if skipped in flags:
            body = [ast.Assign([ast.Name(skipped, ast.Store())], ast.Constant(False)), *body]
        before = [ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False)) for flag in flags]
        names = self._state(_assigned([*body, *before]))
        parts = {"test": ([ast.Return(_Expressions().visit(test))], []), "body": (self.block(body), [])}
        made = [*before, *self._prologue(names), *self._closures(number, names, parts), *self._accessors(number, names),
                self._statement_call("while_statement", number, names, parts, [], [self._place(node)])]
        return self._finish(node, made)

    def _for(self, node):
        number = self._next()
        body, flags, broke, skipped = self._without_jumps(node)
        if skipped in flags:
            body = [ast.Assign([ast.Name(skipped, ast.Store())], ast.Constant(False)), *body]
        before = [ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False)) for flag in flags]
        item = ast.Assign([node.target], _load("__tw_item"))
        target_names = _assigned([ast.Assign([node.target], ast.Constant(None))])
        names = self._state(list(dict.fromkeys([*_assigned([*body, *before]), *target_names])))
        parts = {"body": (self.block([item, *body]), ["__tw_item"]),
                 "broken": ([ast.Return(_load(broke) if broke in flags else ast.Constant(False))], [])}
        made = [*before, *self._prologue(names), *self._closures(number, names, parts), *self._accessors(number, names),
                self._statement_call("for_statement", number, names, parts, [_Expressions().visit(node.iter)],
                                     [ast.Constant(tuple(target_names)), self._place(node)])]
        return self._finish(node, made)


class _Expressions(ast.NodeTransformer):
    """Calls, conditional expressions and logical operators within an expression."""

    def visit_IfExp(self, node):
        self.generic_visit(node)
        return ast.copy_location(_call("if_expression", [node.test, _thunk(node.body), _thunk(node.orelse)]), node)

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        return ast.copy_location(_call(name, [node.values[0], *(_thunk(value) for value in node.values[1:])]), node)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return ast.copy_location(_call("logical_not", [node.operand]), node) if isinstance(node.op, ast.Not) else node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id.startswith("__tw"):
            return node
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return node
        node.func = ast.copy_location(_call("converted", [node.func]), node.func)
        return node

    def visit_Lambda(self, node):
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_FunctionDef = visit_ClassDef = visit_Lambda


def _arguments(names):
    return ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[])


def _load(name):
    return ast.Name(name, ast.Load())


def _thunk(expression):
    return ast.Lambda(_arguments([]), expression)


def _call(name, arguments):
    return ast.Call(ast.Attribute(ast.Name("__tw", ast.Load()), name, ast.Load()), arguments, [])


def is_symbolic(value):
    return isinstance(value, SymbolicTensor)
