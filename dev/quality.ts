import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { compareSearch } from './quality/compare-search.ts'
import { compareSettings } from './quality/compare-settings.ts'
import { writeQualityPage } from './quality/page.ts'
import { readImages } from './quality/read-images.ts'
import { ROOT } from './system/root.ts'

/**
 * `npm run quality -- FOLDER [NAME]`: measures what image encoder settings cost in bytes, similarity and time on the
 * images of a folder, and writes docs/quality.md. NAME says what the images are.
 */
const [folder, corpus = folder] = process.argv.slice(2)
if (folder === undefined || corpus === undefined) throw new Error('Name a folder with images.')
sharp.concurrency(1)
// The fleet's code reads images from files only.
sharp.unblock({ operation: ['VipsForeignLoad'] })
const images = await readImages(folder)
if (images.length === 0) throw new Error(`There are no images in ${folder}.`)

const avif = await compareSettings(
  images,
  [4, 3, 2].map((effort) => ({
    name: `effort ${effort}`,
    encode: (image, quality) => image.avif({ quality, effort, chromaSubsampling: '4:4:4' }),
  })),
  [35, 50, 65],
)
console.log(avif)
const jpeg = await compareSettings(
  images,
  [
    { name: 'baseline', encode: (image, quality) => image.jpeg({ quality }) },
    { name: 'progressive', encode: (image, quality) => image.jpeg({ quality, progressive: true }) },
    { name: 'mozjpeg', encode: (image, quality) => image.jpeg({ quality, mozjpeg: true }) },
  ],
  [60, 75, 90],
)
console.log(jpeg)
const searches = []
for (const format of ['jpeg', 'webp', 'avif'] as const) searches.push(await compareSearch(images, format))
console.log(searches)
const page = writeQualityPage({ corpus, count: images.length, avif, jpeg, searches })
writeFileSync(join(ROOT, 'docs/quality.md'), page)
console.log('Wrote docs/quality.md')
