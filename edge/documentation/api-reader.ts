import { pagePolicy } from '../platform/http/security-headers.ts'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reader – Media processing API</title>
    <link rel="icon" href="/upload-link/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs-reader/swagger-ui.css">
  </head>
  <body>
    <p><a href="/docs">Documentation</a></p>
    <main id="docs"></main>
    <script src="/docs-reader/swagger-ui-bundle.js"></script>
    <script src="/docs-reader/start.js"></script>
  </body>
</html>
`

/** The API reader sets style attributes, and its style sheet embeds images as data URLs. */
const POLICY = pagePolicy({ 'style-src': "'self' 'unsafe-inline'", 'img-src': "'self' data:" })

/** Serves the API reader (Swagger UI) without third-party resources. */
export function answerApiReader(): Response {
  return new Response(PAGE, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  })
}
