import { timingSafeEqual } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

/** Checks the signature and the validity of a URL that signs only its host (S3 Signature V4). */
export async function isSignedUrl(
  method: string,
  given: URL,
  credentials: Credentials,
  now: number,
): Promise<boolean> {
  const { searchParams } = given
  const datetime = searchParams.get('X-Amz-Date') ?? ''
  const [, ...digits] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(datetime) ?? []
  const [year, month, day, ...time] = digits
  const signed_at = Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`)
  const expires_at = signed_at + Number(searchParams.get('X-Amz-Expires')) * 1000
  if (!(now < expires_at)) return false
  const url = new URL(given.origin + given.pathname)
  const isOfSignature = (name: string) => name.startsWith('X-Amz-') && name !== 'X-Amz-Expires'
  for (const [name, value] of searchParams) if (!isOfSignature(name)) url.searchParams.set(name, value)
  const signer = new AwsV4Signer({
    ...credentials,
    method,
    url: url.href,
    service: 's3',
    region: 'auto',
    signQuery: true,
    datetime,
  })
  const expected = (await signer.sign()).url.searchParams.get('X-Amz-Signature') ?? ''
  return isEqual(expected, searchParams.get('X-Amz-Signature') ?? '')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
