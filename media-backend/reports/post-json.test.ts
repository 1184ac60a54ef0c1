import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { postJson } from './post-json.ts'

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void

async function serve(handle: Handle): Promise<URL> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    handle(request, response, body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path`)
}

const post = (url: URL, body: string, signal = AbortSignal.timeout(5000)) =>
  postJson(url, { headers: { 'x-signature': 'a' }, body, signal })

test('sends all requests over one connection', async () => {
  const ports = new Set<number | undefined>()
  const url = await serve((request, response, body) => {
    ports.add(request.socket.remotePort)
    response.writeHead(202).end(`${request.method} ${request.headers['x-signature']} ${body}`)
  })
  for (const body of ['{"a":1}', '{"b":"й"}'])
    expect(await post(url, body)).toEqual({ status: 202, text: `POST a ${body}` })
  expect(ports.size).toBe(1)
})

test('sends a request again if the server has closed the connection', async () => {
  let received = 0
  const url = await serve((request, response) => {
    received += 1
    if (received === 2) request.socket.destroy()
    else response.end('{}')
  })
  await post(url, '{}')
  expect(await post(url, '{}')).toEqual({ status: 200, text: '{}' })
  expect(received).toBe(3)
})

test('follows no redirect', async () => {
  const url = await serve((_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  })
  expect((await post(url, '{}')).status).toBe(302)
})

test('fails if the server closes a new connection, sends too much or does not respond in time', async () => {
  const closing = await serve((request) => request.socket.destroy())
  await expect(post(closing, '{}')).rejects.toThrow()
  const long = await serve((_, response) => response.end('x'.repeat(100_000)))
  await expect(post(long, '{}')).rejects.toThrow('too long')
  const silent = await serve(() => {})
  await expect(post(silent, '{}', AbortSignal.timeout(50))).rejects.toThrow()
})
