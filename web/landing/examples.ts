import compressed from '../../docs/site/media/image-compress.webp'
import enhanced from '../../docs/site/media/image-enhance.webp'
import marked from '../../docs/site/media/image-watermark.webp'
import photo from '../../docs/site/media/sample-photo-plain.webp'

/** The photo from which all examples were made. The size is that of the photo, the image is a preview. */
export const SAMPLE = { image: photo, width: 480, height: 270, size_kb: 108.3 }

/** Results that operations made of the photo, as in docs/site/media/examples.json. */
export const EXAMPLES = [
  { operation: 'image/compress', image: compressed, size_kb: 18.7 },
  { operation: 'image/enhance', image: enhanced, size_kb: 88.9 },
  { operation: 'image/watermark', image: marked, size_kb: 47.9 },
] as const
