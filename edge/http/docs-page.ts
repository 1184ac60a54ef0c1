import { DOCUMENT_PATH } from './document.ts'

/** The human documentation: a reader of the machine-readable description, served by ourselves. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Media processing API</title>
    <link rel="stylesheet" href="/docs-reader/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs-reader/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: '${DOCUMENT_PATH}', dom_id: '#docs', deepLinking: true, persistAuthorization: true })
    </script>
  </body>
</html>
`
