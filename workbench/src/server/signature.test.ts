import assert from 'node:assert/strict';
import test from 'node:test';
import { bytesOf, hex, hmac, sha256 } from './sha256';
import { sign } from './signature';

test('SHA-256 is as in FIPS 180-4', () => {
  const of = (text: string) => hex(sha256(bytesOf(text)));
  assert.equal(of(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(of('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(of('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'), '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1');
  assert.equal(of('a'.repeat(1_000_000)), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
});

test('HMAC is as in RFC 4231, with keys shorter and longer than a block', () => {
  assert.equal(hex(hmac(new Uint8Array(20).fill(0x0b), bytesOf('Hi There'))), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7');
  assert.equal(hex(hmac(new Uint8Array(131).fill(0xaa), bytesOf('Test Using Larger Than Block-Size Key - Hash Key First'))), '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54');
});

// What botocore 1.43 signs with the same key at the same time.
const KEY = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const NOW = new Date('2015-08-30T12:36:00.123Z');
const signatureOf = (headers: Record<string, string>) => /Signature=(\w+)$/.exec(headers['authorization']!)![1];

test('a request of DynamoDB is signed as botocore does it', () => {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables' };
  const signed = sign({ method: 'POST', path: '/', query: '', headers, body: '{}' }, '127.0.0.1:8000', KEY, 'us-east-1', NOW);
  assert.equal(signed['x-amz-date'], '20150830T123600Z');
  assert.equal(signatureOf(signed), 'ed4d26ecc5b84a2e7026dbbc02c70e1fc0132f8eb32a500a6a406bb64efda3ce');
});
test('a path and a query with letters that must be escaped', () => {
  const signed = sign({ method: 'GET', path: '/models/a%20b/patterns/t', query: 'b=2&a=%C3%A4%20%2B*&a=1', headers: {}, body: '' }, '127.0.0.1:8000', KEY, 'us-east-1', NOW);
  assert.equal(signatureOf(signed), 'c4db835f0c4c1c1fa90f0c766bfbebaa5e1d22d3049a8031925664b272b4fb87');
});
