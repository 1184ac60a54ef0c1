import { Media } from '../../client/src/index.ts'

/** A page that resizes an image with the client and shows the result. */
declare global {
  interface Window {
    /** @param image the bytes of the image in base64 */
    resizeImage(
      apiUrl: string,
      apiKey: string,
      image: string,
    ): Promise<{ type: string; width: number; height: number; phases: string[] }>
  }
}

window.resizeImage = async (apiUrl, apiKey, image) => {
  const media = new Media({ apiUrl, apiKey })
  const phases = new Set<string>()
  const file = new File([Uint8Array.from(atob(image), (character) => character.charCodeAt(0))], 'photo.png', {
    type: 'image/png',
  })
  const result = await media.image.resize(
    file,
    { width: 32 },
    { onProgress: ({ phase }) => phases.add(phase) },
  )
  const blob = await result.blob()
  const { width, height } = await createImageBitmap(blob)
  return { type: blob.type, width, height, phases: [...phases] }
}
