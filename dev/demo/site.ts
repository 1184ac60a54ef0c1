import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { contentTypeOf } from '../../shared/planning/formats.ts'

/** A web page with one video, used as the input of the link operations. */
export interface Site {
  page_url: string
  close(): void
}

/** Serves the page, its video, and its thumbnail on a free local port. */
export async function serveSite(video: string, thumbnail: string): Promise<Site> {
  const files = new Map([video, thumbnail].map((file) => [`/${basename(file)}`, file]))
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const file = files.get(path)
    const origin = `http://${request.headers.host}`
    if (path === '/page') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(pageText(`${origin}/${basename(video)}`, `${origin}/${basename(thumbnail)}`))
    } else if (file === undefined) {
      response.writeHead(404).end()
    } else {
      response.setHeader('content-type', contentTypeOf(file))
      response.setHeader('content-length', statSync(file).size)
      if (request.method === 'HEAD') response.end()
      else createReadStream(file).pipe(response)
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { page_url: `http://127.0.0.1:${port}/page`, close }
}

function pageText(video: string, thumbnail: string): string {
  return `<html><head><title>A page with a video</title>
<meta property="og:title" content="A page with a video">
<meta property="og:description" content="Served by the demo">
<meta property="og:image" content="${thumbnail}"><meta property="og:video" content="${video}">
</head><body><video src="${video}" poster="${thumbnail}"></video></body></html>`
}
