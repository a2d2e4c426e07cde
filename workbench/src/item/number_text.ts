// Numbers of DynamoDB are texts here: up to 38 digits, which a number of JavaScript would not keep.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?$/;

/** What is wrong with it as a number of DynamoDB; null: nothing. */
export function numberProblem(text: string): string | null {
  const found = NUMBER.exec(text.trim());
  if (!found) return text.trim() === '' ? 'a number is missing' : `“${text}” is not a number`;
  const [whole = '', fraction = ''] = found[1]!.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return null; // zero
  if (significant.length > 38) return `it has ${significant.length} digits; 38 can be kept`;
  // The power of ten of the first digit that is not 0.
  const first = digits.length - 1 - fraction.length + Number(found[2] ?? 0);
  if (first > 125) return 'it is too large: less than 1e126 can be kept';
  if (first < -130) return 'it is too small: 1e-130 is the least';
  return null;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
export function binaryProblem(text: string): string | null {
  return BASE64.test(text) ? null : 'binary is written as base64: letters, digits, + and /, in groups of four';
}
