import type { Env } from '../env.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>Send a file</title>
    <link rel="icon" href="/upload-link/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/upload-link/page.css">
    <script type="module" src="/upload-link/page.js"></script>
  </head>
  <body>
    <main>
      <h1 id="title">Send a file</h1>
      <noscript><p>This page requires JavaScript. Enable it in your browser, then reload the page.</p></noscript>
      <section id="about" hidden>
        <p>Someone asked you to send a file for this task: <strong id="purpose"></strong>.
          <span id="description"></span></p>
        <blockquote id="note" hidden></blockquote>
        <p id="bounds"></p>
      </section>
      <section id="choice" hidden>
        <label id="drop" for="file">
          <input id="file" type="file">
          <span class="button">Choose a file</span>
          <span class="hint">or drop it here</span>
        </label>
      </section>
      <section id="chosen" hidden>
        <p class="file"><strong id="name"></strong> <span id="size"></span></p>
        <p class="actions">
          <button id="send" type="button" class="button">Send this file</button>
          <button id="other" type="button" class="plain">Choose another</button>
        </p>
      </section>
      <section id="sending" hidden>
        <p class="file"><strong id="sending-name"></strong> <span id="percent"></span></p>
        <progress id="progress" max="100" value="0" aria-labelledby="sending-name"></progress>
        <p class="actions"><button id="stop" type="button" class="plain">Stop</button></p>
      </section>
      <p id="fault" role="alert" hidden></p>
      <div id="outcome" role="status" tabindex="-1" hidden></div>
      <p id="term" hidden></p>
    </main>
  </body>
</html>
`

/**
 * Serves the page of an upload link. The secret is in the URL's fragment, which only the page's script reads. The
 * policy allows only this service's resources and uploads to storage.
 */
export function answerUploadPage({ S3_ENDPOINT }: Pick<Env, 'S3_ENDPOINT'>): Response {
  const policy = pagePolicy({ 'connect-src': `'self' ${new URL(S3_ENDPOINT).origin}` })
  return new Response(PAGE, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    },
  })
}
