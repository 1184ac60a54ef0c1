import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'

/** A small video website for yt-dlp, with pages, files, playlists, redirects and traps. */
export interface VideoSite {
  url: string
  /** Requested paths, in order. */
  requested_paths: string[]
  /** A forbidden port on this machine, and the number of connections made to it. */
  trap: { port: number; visits: number }
  close(): Promise<void>
}

/**
 * Starts the site.
 * @param files contents by path, such as "/clip.mp4". Pages and redirects are defined below.
 */
export async function startVideoSite(files: Record<string, Buffer>): Promise<VideoSite> {
  const trap = { port: 0, visits: 0 }
  const trap_server = createTcpServer((socket) => {
    trap.visits += 1
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 4\r\n\r\ntrap')
  })
  await new Promise<void>((resolve) => {
    trap_server.listen(0, '127.0.0.1', resolve)
  })
  trap.port = (trap_server.address() as AddressInfo).port
  const requested_paths: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requested_paths.push(path)
    const file = files[path]
    if (file !== undefined) return sendFile(response, path, file, request.headers.range)
    const redirect = redirects(trap.port)[path]
    if (redirect !== undefined) return response.writeHead(302, { location: redirect }).end()
    const page = PAGES[path]
    if (page === undefined) return response.writeHead(404).end('nothing is here')
    return response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page.replaceAll('SITE', `http://${request.headers.host}`))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested_paths,
    trap,
    close: async () => {
      server.closeAllConnections()
      await Promise.all([
        new Promise((resolve) => server.close(resolve)),
        new Promise((resolve) => trap_server.close(resolve)),
      ])
    },
  }
}

const TITLE = '=HYPERLINK("http://example.com") &amp; "more"'
const PAGES: Record<string, string> = {
  '/page': `<html><head><title>${TITLE}</title>
    <meta property="og:title" content="${TITLE.replaceAll('"', '&quot;')}">
    <meta property="og:description" content="What it is about">
    <meta property="og:image" content="SITE/image.jpg"><meta property="og:video" content="SITE/clip.mp4">
    </head><body>A video</body></html>`,
  '/embedded':
    '<html><head><title>One of its own</title></head><body><video src="/clip.mp4"></video></body></html>',
  '/two':
    '<html><title>Two</title><body><video src="/clip.mp4"></video><video src="/other.mp4"></video></body></html>',
  '/nothing': '<html><title>Nothing</title><body>No video here</body></html>',
}

const redirects = (port: number): Record<string, string> => ({
  '/moved': '/clip.mp4',
  '/to-loopback': `http://127.0.0.1:${port}/clip.mp4`,
  '/to-ftp': `ftp://127.0.0.1:${port}/clip.mp4`,
  '/to-metadata': 'http://169.254.169.254/latest/meta-data',
})

const TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  jpg: 'image/jpeg',
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
}

function sendFile(response: ServerResponse, path: string, file: Buffer, range: string | undefined): void {
  const type = { 'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' }
  const [, from] = /^bytes=(\d+)-/.exec(range ?? '') ?? []
  if (from === undefined) {
    response.writeHead(200, { ...type, 'content-length': file.length }).end(file)
    return
  }
  const part = file.subarray(Number(from))
  const place = `bytes ${from}-${file.length - 1}/${file.length}`
  response.writeHead(206, { ...type, 'content-range': place, 'content-length': part.length }).end(part)
}
