/** A safetensors file as typed arrays: what the parts of the model are, once they are unpacked. */

const KINDS = { I8: Int8Array, F16: Uint16Array, F32: Float32Array };

/** Tensors by name, `{data, shape}`, and what the file says of itself. Half-precision numbers are widened. */
export function tensors(buffer) {
  const length = new DataView(buffer).getUint32(0, true); // of 64 bits, the rest are 0
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const { __metadata__: { about = "{}" } = {}, ...rest } = header;
  const found = {};
  for (const [name, { dtype, shape, data_offsets: [start, end] }] of Object.entries(rest)) {
    const Kind = KINDS[dtype];
    const data = new Kind(buffer, 8 + length + start, (end - start) / Kind.BYTES_PER_ELEMENT);
    found[name] = { data: dtype === "F16" ? Float32Array.from(data, half) : data, shape };
  }
  return { found, about: JSON.parse(about) };
}

/** A number of half precision from its 16 bits. */
export function half(bits) {
  const exponent = (bits >> 10) & 31;
  const rest = bits & 1023;
  const size = exponent ? 2 ** (exponent - 15) * (1 + rest / 1024) : 2 ** -24 * rest;
  return bits >> 15 ? -size : size;
}
