import { Media } from '../../../client/src/index.ts'

/** A customer's Worker that resizes the image of a request. The test calls it with an API URL and a key. */
export default {
  async fetch(request: Request): Promise<Response> {
    const apiUrl = request.headers.get('x-api-url') ?? ''
    const apiKey = request.headers.get('x-api-key') ?? ''
    const media = new Media({ apiUrl, apiKey })
    const result = await media.image.resize(await request.blob(), { width: 32 })
    return new Response(await result.stream(), {
      headers: { 'content-type': result.content_type, 'x-width': String(result.body.width) },
    })
  },
}
