// Lets a browser upload directly to storage; the API key stays on this server: node examples/browser-upload.ts
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { Media } from '../client/node/index.ts'

const media = new Media()
const { PORT = '3000' } = process.env

const PAGE = `<!doctype html><title>Upload</title>
<input type="file" aria-label="Photo"> <output></output>
<script type="module">
const [input, output] = [document.querySelector('input'), document.querySelector('output')]
const post = async (path, body) => (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json()
input.onchange = async () => {
  const [file] = input.files
  const upload = await post('/sign', { filename: file.name, content_type: file.type, size_bytes: file.size })
  await fetch(upload.put_url, { method: upload.method, headers: upload.headers, body: file })
  const { url } = await post('/process', { url: upload.url })
  output.textContent = url
}
</script>`

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(PAGE)
  // In production, authenticate the user here and check that the upload is allowed.
  const body = (await json(request)) as {
    filename: string
    content_type: string
    size_bytes: number
    url: string
  }
  const { filename, content_type, size_bytes, url } = body
  const answer =
    request.url === '/sign'
      ? await media.uploads.presign({ filename, content_type, size_bytes })
      : { url: (await media.image.resize(url, { width: 320 })).url }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
})
server.listen(Number(PORT), () => console.log(`Open http://127.0.0.1:${PORT}`))
