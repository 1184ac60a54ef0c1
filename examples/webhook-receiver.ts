// Receives the webhooks of jobs: node examples/webhook-receiver.ts
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

interface JobEvent {
  type: 'job.done' | 'job.failed' | 'job.canceled'
  data: { id: string; error: string | null; result: { url: string } | null }
}

const webhook = new Webhook(process.env.MEDIA_WEBHOOK_SECRET ?? '')
const handled = new Set<string>()

const server = createServer(async (request, response) => {
  const body = await text(request)
  const id = String(request.headers['webhook-id'])
  let event: JobEvent
  try {
    event = webhook.verify(body, request.headers as Record<string, string>) as JobEvent
  } catch {
    response.writeHead(400).end('The signature is invalid.')
    return
  }
  response.writeHead(204).end()
  // A delivery can arrive twice.
  if (handled.has(id)) return
  handled.add(id)
  console.log(event.type, event.data.id, event.data.result?.url ?? event.data.error)
})
server.listen(Number(process.env.PORT ?? 3000), () => console.log('Waiting for webhooks'))
