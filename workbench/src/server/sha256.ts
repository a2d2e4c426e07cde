// SHA-256 and HMAC, because a page that was not loaded over https has no crypto.subtle.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  // The fractional parts of the cube roots and square roots of the first primes.
  const isPrime = (n: number) => {
    for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
    return true;
  };
  const fraction = (x: number) => (x - Math.floor(x)) * 2 ** 32;
  for (let n = 2, found = 0; found < 64; n++) {
    if (!isPrime(n)) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(n));
    K[found++] = fraction(Math.cbrt(n));
  }
}

export type Bytes = Uint8Array;
const encoder = new TextEncoder();
export const bytesOf = (text: string): Bytes => encoder.encode(text);

export function sha256(data: Bytes): Bytes {
  const blocks = (data.length + 9 + 63) >> 6;
  const padded = new Uint8Array(blocks * 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(padded.length - 4, (data.length << 3) >>> 0);
  const hash = START.slice();
  const w = new Uint32Array(64);
  const rotate = (x: number, by: number) => (x >>> by) | (x << (32 - by));
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block * 64 + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]!;
      const b = w[i - 2]!;
      const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
      const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((part, i) => (hash[i] = hash[i]! + part));
  }
  const out = new Uint8Array(32);
  const digest = new DataView(out.buffer);
  hash.forEach((part, i) => digest.setUint32(i * 4, part));
  return out;
}

export function hmac(key: Bytes, data: Bytes): Bytes {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = new Uint8Array(64 + data.length);
  inner.set(block.map((byte) => byte ^ 0x36));
  inner.set(data, 64);
  const outer = new Uint8Array(96);
  outer.set(block.map((byte) => byte ^ 0x5c));
  outer.set(sha256(inner), 64);
  return sha256(outer);
}

export const hex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
