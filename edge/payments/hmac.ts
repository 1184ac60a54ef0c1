type Hash = 'SHA-256' | 'SHA-512'

const HEX = /^(?:[0-9a-f]{2})+$/i

/** Checks in constant time whether the signature of the text was made with one of the secrets. */
export async function isHmac(
  hash: Hash,
  secrets: readonly string[],
  text: string,
  signatureHex: string,
): Promise<boolean> {
  if (!HEX.test(signatureHex)) return false
  const encoder = new TextEncoder()
  const signature = Uint8Array.from(signatureHex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash }
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify'])
    if (await crypto.subtle.verify('HMAC', key, signature, encoder.encode(text))) return true
  }
  return false
}
