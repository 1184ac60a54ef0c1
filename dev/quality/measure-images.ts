import sharp from 'sharp'
import { compareSearch } from './compare-search.ts'
import { compareSettings } from './compare-settings.ts'
import { writeImagePart } from './image-page.ts'
import { readImages } from './read-images.ts'

/** Measures image encoder settings on the images of a folder, and writes the part of docs/quality.md about images. */
export async function measureImages(folder: string, corpus: string): Promise<string> {
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
  return writeImagePart({ corpus, count: images.length, avif, jpeg, searches })
}
