// Receives the webhooks of jobs: node examples/webhook-receiver.ts
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '../client/node/index.ts'

const { MEDIA_WEBHOOK_SECRET = '', PORT = '3000' } = process.env
const handled = new Set<string>()

const server = createServer(async (request, response) => {
  const body = await text(request)
  const event = await verifyWebhook(body, request.headers, MEDIA_WEBHOOK_SECRET).catch(() => null)
  if (event === null) return response.writeHead(400).end('The signature is invalid.')
  response.writeHead(204).end()
  // A delivery can arrive twice.
  const id = String(request.headers['webhook-id'])
  if (handled.has(id)) return
  handled.add(id)
  console.log(event.type, event.data.id, event.data.status)
})
server.listen(Number(PORT), () => console.log(`Waiting for webhooks on port ${PORT}`))
