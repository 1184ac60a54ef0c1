import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'

/** Customer's own site, at a different origin than the service. */
export interface CustomerSite {
  url: string
  close(): Promise<void>
}

interface CustomerOptions {
  api_url: string
  /** The customer's API key, which only the site's server knows. */
  key: string
  /** Changes the URL of a signed request before the browser sends it. */
  route?: ((url: string) => string) | undefined
  /** Session token with which the page calls the API directly instead of through its server. */
  token?: string | null | undefined
}

interface Signed {
  url: string
}

/**
 * Serves a page with the given script, and the customer's /sign endpoint, which signs with the customer's API key. The
 * key never reaches the browser. If there is a `token`, the page calls the API directly.
 */
export async function startCustomerSite(
  script: string,
  { api_url, key, route, token }: CustomerOptions,
): Promise<CustomerSite> {
  const { outputFiles } = await build({ entryPoints: [script], bundle: true, format: 'iife', write: false })
  const signing = token
    ? { url: `${api_url}/api/v1/uploads/s3/sign`, headers: { authorization: `Bearer ${token}` } }
    : { url: '/sign', headers: {} }
  const html = `<!doctype html><html data-signing='${JSON.stringify(signing)}'><title>Upload</title>
    <input type="file"><script>${outputFiles[0]?.text}</script>`
  const server = createServer(async (incoming, response) => {
    if (incoming.url !== '/sign') return response.setHeader('content-type', 'text/html').end(html)
    const answer = await fetch(`${api_url}/api/v1/uploads/s3/sign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: await text(incoming),
    })
    const body = (await answer.json()) as Signed
    const signed = answer.ok && route !== undefined ? { ...body, url: route(body.url) } : body
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(signed))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
