import { existsSync } from 'node:fs'
import koffi from 'koffi'

/** Where Homebrew installs the library; the loader does not look there. */
const HOMEBREW = ['/opt/homebrew/lib/libheif.1.dylib', '/usr/local/lib/libheif.1.dylib']

/** Values of libheif's enumerations. */
const RGB = 1
const CHROMA = { 8: { 3: 10, 4: 11 }, 16: { 3: 14, 4: 15 } } as const
const INTERLEAVED = 10

/** The decoded pixels of an image: RGB or RGBA, upright. Samples of 16 bits are little-endian. */
export interface Pixels {
  width: number
  height: number
  channels: 3 | 4
  bits: 8 | 16
  /** Number of low bits in use, for samples of 16 bits. */
  used_bits: number
  /** Rows of `stride` bytes, in memory that the library owns. */
  data: Uint8Array
  stride: number
}

/** A file that libheif cannot decode. */
export class UndecodableImage extends Error {}

/** Decodes the primary image of a HEIF file, in memory that is never freed. */
export function decodePrimaryImage(path: string): Pixels {
  const heif = bindLibrary()
  check(heif.init(null))
  const context = heif.allocate()
  check(heif.read(context, path, null))
  const handle = [null]
  check(heif.getPrimary(context, handle))
  const channels = heif.hasAlpha(handle[0]) === 1 ? 4 : 3
  const bits = heif.lumaBits(handle[0]) === 8 ? 8 : 16
  const image = [null]
  check(heif.decode(handle[0], image, RGB, CHROMA[bits][channels], null))
  const [width, height] = [heif.width(image[0], INTERLEAVED), heif.height(image[0], INTERLEAVED)]
  const strides = [0]
  const plane = heif.plane(image[0], INTERLEAVED, strides)
  const [stride = 0] = strides
  if (plane === null || stride < (width * channels * bits) / 8) throw new UndecodableImage('no pixels')
  const data = new Uint8Array(koffi.view(plane, stride * height))
  return { width, height, channels, bits, used_bits: heif.usedBits(image[0], INTERLEAVED), data, stride }
}

interface HeifError {
  code: number
  message: string
}

function check({ code, message }: HeifError): void {
  if (code !== 0) throw new UndecodableImage(message)
}

/** Declares the functions of libheif's C interface, which is the same in all versions from 1.13. */
function bindLibrary() {
  const library = koffi.load(HOMEBREW.find((path) => existsSync(path)) ?? 'libheif.so.1')
  koffi.struct('heif_error', { code: 'int', subcode: 'int', message: 'const char *' })
  const bind = (declaration: string) => library.func(declaration)
  return {
    init: bind('heif_error heif_init(void *params)'),
    allocate: bind('void *heif_context_alloc()'),
    read: bind('heif_error heif_context_read_from_file(void *context, const char *path, void *options)'),
    getPrimary: bind('heif_error heif_context_get_primary_image_handle(void *context, _Out_ void **handle)'),
    hasAlpha: bind('int heif_image_handle_has_alpha_channel(void *handle)'),
    lumaBits: bind('int heif_image_handle_get_luma_bits_per_pixel(void *handle)'),
    decode: bind('heif_error heif_decode_image(void *handle, _Out_ void **image, int, int, void *options)'),
    width: bind('int heif_image_get_width(void *image, int channel)'),
    height: bind('int heif_image_get_height(void *image, int channel)'),
    usedBits: bind('int heif_image_get_bits_per_pixel_range(void *image, int channel)'),
    plane: bind('void *heif_image_get_plane_readonly(void *image, int channel, _Out_ int *stride)'),
  }
}
