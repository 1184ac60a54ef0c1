/** Formats that phones, cameras and editors produce, by the kinds of input that operations accept. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  video: ['video/mp4', 'video/quicktime', 'video/x-matroska', 'video/webm', 'video/x-msvideo'],
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/avif'],
}

/** Returns the formats to which a link for an operation can be limited. */
export function formatsOf(accepts: readonly string[]): string[] {
  return accepts.flatMap((kind) => FORMATS[kind] ?? [])
}
