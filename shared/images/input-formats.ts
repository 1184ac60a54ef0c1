interface InputFormat {
  name: string
  /** Media types that browsers and cameras declare; the usual one first. */
  types: readonly [string, ...string[]]
  extensions: readonly [string, ...string[]]
}

/** The image formats that are read. Pickers of files, refusals and the documentation derive from this list. */
export const INPUT_FORMATS: readonly InputFormat[] = [
  { name: 'JPEG', types: ['image/jpeg', 'image/jpg', 'image/pjpeg'], extensions: ['jpg', 'jpeg'] },
  { name: 'PNG', types: ['image/png', 'image/apng', 'image/x-png'], extensions: ['png', 'apng'] },
  { name: 'WebP', types: ['image/webp'], extensions: ['webp'] },
  { name: 'AVIF', types: ['image/avif'], extensions: ['avif'] },
  { name: 'HEIC', types: ['image/heic', 'image/heif'], extensions: ['heic', 'heif'] },
  { name: 'GIF', types: ['image/gif'], extensions: ['gif'] },
  { name: 'TIFF', types: ['image/tiff'], extensions: ['tif', 'tiff'] },
  { name: 'BMP', types: ['image/bmp', 'image/x-ms-bmp'], extensions: ['bmp', 'dib'] },
  { name: 'ICO', types: ['image/vnd.microsoft.icon', 'image/x-icon'], extensions: ['ico'] },
  { name: 'PSD', types: ['image/vnd.adobe.photoshop', 'image/x-psd'], extensions: ['psd', 'psb'] },
  { name: 'JPEG 2000', types: ['image/jp2', 'image/jpx'], extensions: ['jp2', 'jpx', 'j2k', 'j2c'] },
  { name: 'JPEG XL', types: ['image/jxl'], extensions: ['jxl'] },
  { name: 'SVG', types: ['image/svg+xml'], extensions: ['svg'] },
  {
    name: 'camera raw',
    types: [
      'image/x-adobe-dng',
      'image/x-canon-cr2',
      'image/x-canon-cr3',
      'image/x-nikon-nef',
      'image/x-sony-arw',
    ],
    extensions: ['dng', 'cr2', 'cr3', 'nef', 'arw', 'raf', 'rw2', 'orf', 'pef'],
  },
]

export const INPUT_EXTENSIONS: readonly string[] = INPUT_FORMATS.flatMap(({ extensions }) => extensions)

/** Images that no operation reads: drawings of other programs, and formats without a safe decoder. */
const UNREAD =
  /^image\/(vnd\.(dxf|dwg|djvu|ms-dds|radiance|zbrush\.pcx|wap\.wbmp)|x-(xcf|eps|emf|wmf|exr|tga|targa|pcx|dds|xbitmap|xpixmap|portable-\w+)|emf|wmf|ktx2?|cgm|jbig2?|g3fax|fits|aces|djvu)$/i

/** Checks for a media type of images that no operation reads. */
export function isUnreadImage(type: string): boolean {
  return UNREAD.test(type)
}
