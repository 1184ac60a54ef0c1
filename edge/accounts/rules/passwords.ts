export const PASSWORD_LENGTH = { min: 8, max: 256 }

/** The most common passwords with at least eight characters, in lowercase. */
const COMMONEST = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 11111111
  00000000 87654321 987654321 0987654321 88888888 12341234 11223344 123123123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
  qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 asdfghjk asdfghjkl zxcvbnm1 abcd1234 abc12345
  a1b2c3d4 aa123456 iloveyou iloveyou1 sunshine princess football baseball basketball superman batman123
  trustno1 welcome1 welcome123 letmein1 letmein123 admin123 admin1234 administrator changeme changeme1
  master123 dragon123 monkey123 shadow123 michael1 jennifer computer internet samsung1 starwars whatever
  q1w2e3r4 q1w2e3r4t5 zaq12wsx 147258369 123456abc abcdefgh 123qweasd qazwsxedc`.split(/\s+/),
)

/** Characters that are invisible when rendered, including the blank Braille pattern. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/gu

/** Normalizes a password before hashing, so all Unicode forms of the same text match. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/**
 * Checks whether a password is very common, is the same as the email address, or is empty. Ignores spaces and
 * invisible characters.
 */
export function isWeakPassword(password: string, email: string): boolean {
  const plain = normalizePassword(password).replace(INVISIBLE, '').trim().toLowerCase()
  return plain === '' || COMMONEST.has(plain) || plain === email.toLowerCase()
}
