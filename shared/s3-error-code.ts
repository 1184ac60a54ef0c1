/** Returns the code of an S3 error, such as NoSuchBucket; null if the body has none. */
export function readS3ErrorCode(body: string): string | null {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body)?.[1] ?? null
}
