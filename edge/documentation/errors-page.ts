import { html } from 'hono/html'
import type { ErrorEntry } from '../platform/errors/rules/entry.ts'
import { ERROR_AREAS, type ErrorCode, exampleSentence } from '../platform/errors/rules/table.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'

/** Serves the page that an error's `doc_url` points to. It has an anchor for each code. */
export function answerErrorsPage(): Response {
  return new Response(String(PAGE), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy({}),
      'cache-control': 'public, max-age=3600',
    },
  })
}

const PAGE = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Errors – Media processing API</title>
    <link rel="icon" href="/upload-link/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/pages.css">
  </head>
  <body>
    <main class="reference">
      <h1>Errors</h1>
      <p>Every error response has a stable <code>code</code>. Compare the code, and show <code>detail</code> to people. <code>param</code> names the input field at fault. Numbers and names in the messages below are examples.</p>
      <p><a href="/docs">API reference</a></p>
      ${ERROR_AREAS.map(([title, errors]) => section(title, errors))}
    </main>
  </body>
</html>
`

function section(title: string, errors: Record<string, ErrorEntry>) {
  const entries = Object.entries(errors).map(
    ([code, { status, help }]) => html`<article id="${code}">
        <h3><a href="#${code}"><code>${code}</code></a> ${status}</h3>
        <p>${exampleSentence(code as ErrorCode)}</p>
        <p class="quiet">${help}</p>
      </article>`,
  )
  return html`<h2>${title}</h2>${entries}`
}
