"""Rewrites a .glb: morph targets keep only the vertices that move, clips only the weights that do."""

import json
import struct

import numpy as np

from . import regions

FLOAT, UNSIGNED_SHORT = 5126, 5123
SMALL = {"POSITION": 0.0, "NORMAL": 2e-4}  # the exporter rounds normals to 1e-4


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


def write(path, gltf, binary):
    text = json.dumps(gltf, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def dense(gltf, binary, index):
    """The floats of an accessor, one row for each element."""
    accessor = gltf["accessors"][index]
    width = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
    values = np.zeros((accessor["count"], width), dtype="<f4")
    if "bufferView" in accessor:
        values[:] = _view(gltf, binary, accessor, "<f4").reshape(-1, width)
    if "sparse" in accessor:
        sparse = accessor["sparse"]
        values[_view(gltf, binary, sparse["indices"], "<u2")] = _view(gltf, binary, sparse["values"], "<f4").reshape(
            -1, width)
    return values


def _view(gltf, binary, holder, kind):
    view = gltf["bufferViews"][holder["bufferView"]]
    start = view.get("byteOffset", 0)
    return np.frombuffer(binary[start:start + view["byteLength"]], dtype=kind)


def make_faces_small(path):
    gltf, binary = read(path)
    for mesh in gltf.get("meshes", []):
        for primitive in mesh["primitives"]:
            for target in primitive.get("targets", []):
                for attribute, index in target.items():
                    binary = _make_sparse(gltf, binary, index, SMALL[attribute])
    for animation in gltf["animations"]:
        _drop_still_weights(gltf, binary, animation)
        _make_weights_linear(animation)
    write(path, *_packed(gltf, binary))


def set_regions(path, png):
    """Gives a .glb the texture whose alpha names regions, and the material's name that says so. Opaque materials
    ignore alpha."""
    gltf, binary = read(path)
    binary += b"\0" * (-len(binary) % 4)
    gltf["images"][0]["bufferView"] = len(gltf["bufferViews"])
    gltf["bufferViews"].append({"buffer": 0, "byteLength": len(png), "byteOffset": len(binary)})
    gltf["materials"][0]["name"] = regions.MATERIAL
    write(path, *_packed(gltf, binary + png))


def _make_sparse(gltf, binary, index, small):
    accessor, values = gltf["accessors"][index], dense(gltf, binary, index)
    moved = np.nonzero(np.abs(values).max(axis=1) > small)[0]
    del accessor["bufferView"]
    accessor["sparse"] = {"count": len(moved)}
    for name, kind, part in (("indices", UNSIGNED_SHORT, moved.astype("<u2")), ("values", FLOAT, values[moved])):
        binary += b"\0" * (-len(binary) % 4)
        accessor["sparse"][name] = {"bufferView": len(gltf["bufferViews"])}
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": part.nbytes})
        binary += part.tobytes()
    accessor["sparse"]["indices"]["componentType"] = UNSIGNED_SHORT
    return binary


def _drop_still_weights(gltf, binary, animation):
    def still(channel):
        output = animation["samplers"][channel["sampler"]]["output"]
        return channel["target"]["path"] == "weights" and not dense(gltf, binary, output).any()

    channels = [channel for channel in animation["channels"] if not still(channel)]
    used = sorted({channel["sampler"] for channel in channels})
    for channel in channels:
        channel["sampler"] = used.index(channel["sampler"])
    animation["channels"], animation["samplers"] = channels, [animation["samplers"][i] for i in used]


def _make_weights_linear(animation):
    """The exporter samples drivers at every frame, and then makes steps of the samples."""
    for channel in animation["channels"]:
        if channel["target"]["path"] == "weights":
            animation["samplers"][channel["sampler"]]["interpolation"] = "LINEAR"


def _holders(gltf):
    """Everything that refers to a buffer view."""
    for accessor in gltf["accessors"]:
        if "bufferView" in accessor:
            yield accessor
        if "sparse" in accessor:
            yield from (accessor["sparse"]["indices"], accessor["sparse"]["values"])
    yield from (image for image in gltf.get("images", []) if "bufferView" in image)


def _packed(gltf, binary):
    """Without accessors and buffer views that nothing refers to."""
    references = []
    for mesh in gltf.get("meshes", []):
        for primitive in mesh["primitives"]:
            tables = [primitive["attributes"], *primitive.get("targets", [])]
            references += [(table, key) for table in tables for key in table] + [(primitive, "indices")]
    references += [(skin, "inverseBindMatrices") for skin in gltf.get("skins", [])]
    references += [(sampler, key) for a in gltf["animations"] for sampler in a["samplers"] for key in ("input", "output")]
    used = sorted({table[key] for table, key in references})
    for table, key in references:
        table[key] = used.index(table[key])
    gltf["accessors"] = [gltf["accessors"][i] for i in used]
    views, packed = [], b""
    for old in sorted({holder["bufferView"] for holder in _holders(gltf)}):
        view = gltf["bufferViews"][old]
        start = view.get("byteOffset", 0)
        packed += b"\0" * (-len(packed) % 4)
        views.append((old, {**view, "byteOffset": len(packed)}))
        packed += binary[start:start + view["byteLength"]]
    places = {old: new for new, (old, _) in enumerate(views)}
    for holder in _holders(gltf):
        holder["bufferView"] = places[holder["bufferView"]]
    gltf["bufferViews"] = [view for _, view in views]
    gltf["buffers"] = [{"byteLength": len(packed)}]
    return gltf, packed
