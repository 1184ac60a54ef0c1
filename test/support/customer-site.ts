import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'

/** A customer's own site, of another origin than the service. */
export interface CustomerSite {
  url: string
  close(): Promise<void>
}

interface Signed {
  url: string
}

/**
 * Serves a page with the given script, and the customer's /sign endpoint, which signs with the customer's API key.
 * The key never reaches the browser.
 * @param route changes the address that the browser sends a signed request to.
 */
export async function startCustomerSite(
  script: string,
  { api_url, key, route = (url) => url }: { api_url: string; key: string; route?: (url: string) => string },
): Promise<CustomerSite> {
  const { outputFiles } = await build({ entryPoints: [script], bundle: true, format: 'iife', write: false })
  const html = `<!doctype html><title>Upload</title><input type="file"><script>${outputFiles[0]?.text}</script>`
  const server = createServer(async (incoming, response) => {
    if (incoming.url !== '/sign') return response.setHeader('content-type', 'text/html').end(html)
    const answer = await fetch(`${api_url}/api/v1/uploads/s3/sign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: await text(incoming),
    })
    const body = (await answer.json()) as Signed
    const signed = answer.ok ? { ...body, url: route(body.url) } : body
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
