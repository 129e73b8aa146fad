"""The graph of layer calls between inputs and outputs, in Keras's order, and its JSON."""

from tilewright.keras.engine import probe
from tilewright.keras.configured import plain
from tilewright.missing import not_yet
from tilewright.tf import nest


class Network:
    """Layers and calls that lead from input tensors to output tensors."""

    def __init__(self, inputs, outputs, name):
        self.input_nest, self.output_nest = inputs, outputs
        self.inputs, self.outputs = nest.flatten(inputs), nest.flatten(outputs)
        self.name = name
        self._order_nodes()

    def _order_nodes(self):
        """Calls by depth, the deepest first; layers of one depth in the order in which a walk from the outputs meets them."""
        met, finished = {}, []
        for tensor in self.outputs:
            self._walk(tensor.node, met, finished, set())
        depth_of_node, depth_of_layer = {}, {}
        for node in reversed(finished):
            depth = max(depth_of_node.get(node, 0), depth_of_layer.get(node.layer, 0))
            depth_of_node[node] = depth_of_layer[node.layer] = depth
            for tensor in node.inputs:
                depth_of_node[tensor.node] = max(depth + 1, depth_of_node.get(tensor.node, 0))
        for tensor in self.inputs:
            layer = tensor._keras_history[0]
            if layer not in depth_of_layer:
                depth_of_layer[layer] = 0
                met.setdefault(layer, -1)
                depth_of_node[tensor.node] = 0
        self.layers = sorted(depth_of_layer, key=lambda layer: (-depth_of_layer[layer], met[layer]))
        self.nodes = set(depth_of_node)
        self._check()
        #: number of each call among the calls of its layer in this network
        self.number = {}
        for layer in self.layers:
            for i, node in enumerate(node for node in layer._inbound_nodes if node in self.nodes):
                self.number[node] = i

    def _walk(self, node, met, finished, open_nodes):
        """Notes the calls below `node`, each after those that it needs."""
        stack = [(node, False)]
        done = set(finished)
        while stack:
            node, left = stack.pop()
            if left:
                open_nodes.discard(node)
                done.add(node)
                finished.append(node)
                continue
            if node in done:
                continue
            if node in open_nodes:
                continue
            open_nodes.add(node)
            met.setdefault(node.layer, len(met))
            stack.append((node, True))
            stops = {id(tensor) for tensor in self.inputs}
            if any(id(tensor) in stops for tensor in node.outputs):
                continue
            for tensor in reversed(node.inputs):
                if tensor.node not in done:
                    stack.append((tensor.node, False))

    def _check(self):
        for tensor in self.inputs:
            if tensor.node.inputs:
                raise not_yet("a model whose input is the output of a layer", "Use the tensors that Input returns.")
        names = {}
        for layer in self.layers:
            if names.setdefault(layer.name, layer) is not layer:
                raise ValueError(f"The name \"{layer.name}\" is used 2 times in the model. All layer names should be unique.")
        fed = {id(tensor) for tensor in self.inputs}
        for node in self.nodes:
            if not node.inputs and id(node.outputs[0]) not in fed:
                raise ValueError(f"Graph disconnected: the input {node.layer.name} is needed but is not among the model's inputs.")

    def calls_of(self, layer):
        return [node for node in layer._inbound_nodes if node in self.nodes]

    def calls(self):
        """The calls, each after those whose outputs it takes."""
        calls, done = [], set()

        def visit(node):
            if node in done:
                return
            done.add(node)
            for tensor in node.inputs:
                visit(tensor.node)
            calls.append(node)
        for layer in self.layers:
            for node in self.calls_of(layer):
                visit(node)
        return calls

    def described(self):
        """Layers that no layer of the engine computes."""
        return [layer for layer in self.layers if any(node.described is not None for node in self.calls_of(layer))]

    def reference(self, tensor, kwargs=None):
        node = tensor.node
        row = [node.layer.name, self.number[node], tensor._keras_history[2]]
        return row if kwargs is None else [*row, kwargs]

    def keras_json(self):
        """The document of to_json."""
        for layer in self.described():
            raise not_yet(f"the layer {layer.name} ({type(layer).__name__}), which Python describes, in a project", "Its model trains, "
                          "evaluates and predicts on one IPU without pipeline stages.")
        rows = []
        for layer in self.layers:
            row = {**layer.keras_json(), "name": layer.name, "inbound_nodes": []}
            stages = []
            for node in self.calls_of(layer):
                stages.append(node.pipeline_stage)
                if node.inputs:
                    call = {key: plain(value) for key, value in node.kwargs.items() if value is not None}
                    row["inbound_nodes"].append([self.reference(tensor, call if i == 0 else {})
                                                 for i, tensor in enumerate(node.inputs)])
            if any(stage is not None for stage in stages) and row["class_name"] != "InputLayer":
                row["pipeline_stage"] = stages[0] if len(set(stages)) == 1 else stages
            rows.append(row)
        return {"class_name": "Functional", "keras_version": "2.6.0", "backend": "tensorflow",
                "config": {"name": self.name, "layers": rows, "input_layers": [self.reference(tensor) for tensor in self.inputs],
                           "output_layers": [self.reference(tensor) for tensor in self.outputs]}}

    def known_json(self):
        """A document of the engine's layers alone, each called once on inputs of its own: what draws their weights."""
        rows, inputs, outputs = [], [], []
        for layer in self.layers:
            node = self.calls_of(layer)[0]
            if node.described is not None or not node.inputs:
                continue
            names = [f"{layer.name}_of_{i}" for i in range(len(node.inputs))]
            rows.extend(probe.input_row(name, tuple(tensor.shape), tensor.dtype) for name, tensor in zip(names, node.inputs))
            call = {key: plain(value) for key, value in node.kwargs.items() if value is not None}
            rows.append({**layer.keras_json(), "name": layer.name,
                         "inbound_nodes": [[[name, 0, 0, call if i == 0 else {}] for i, name in enumerate(names)]]})
            inputs.extend([name, 0, 0] for name in names)
            outputs.append([layer.name, 0, 0])
        return {"class_name": "Functional", "keras_version": "2.6.0", "backend": "tensorflow",
                "config": {"name": self.name, "layers": rows, "input_layers": inputs, "output_layers": outputs}}

    def project(self):
        return probe.project_of(self.keras_json())

    def output_names(self):
        """Keras's names of the outputs: their layers, numbered where one layer has several."""
        names = []
        for tensor in self.outputs:
            name, count = tensor._keras_history[0].name, 0
            unique = name
            while unique in names:
                count += 1
                unique = f"{name}_{count}"
            names.append(unique)
        return names


def sequential_json(name, layers, input_layer):
    """The document of a Sequential."""
    rows = [] if input_layer is None else [input_layer.keras_json()]
    for layer in layers:
        row = layer.keras_json()
        node = layer._inbound_nodes[0] if layer._inbound_nodes else None
        stage = node.pipeline_stage if node is not None else layer._stage
        if stage is not None:
            row["pipeline_stage"] = stage
        rows.append(row)
    return {"class_name": "Sequential", "keras_version": "2.6.0", "backend": "tensorflow", "config": {"name": name, "layers": rows}}
