import { join } from 'node:path'
import { preact } from '@preact/preset-vite'
import { createLogger, defineConfig, type Logger } from 'vite'

/** Address of the service to which `vite` forwards requests during development. */
const API_URL = process.env.MEDIA_API_URL ?? 'http://127.0.0.1:8787'

/** Vite's own plugin for CSS modules causes this warning in each build. It has no effect here. */
const KNOWN_WARNING = 'A PostCSS plugin did not pass the `from` option'

/** Creates Vite's logger, which ignores `--logLevel` when it comes from here. */
function createQuietLogger(command: 'build' | 'serve'): Logger {
  const logger = createLogger(command === 'build' ? 'warn' : 'info')
  const { warnOnce } = logger
  logger.warnOnce = (message, options) => {
    if (!message.includes(KNOWN_WARNING)) warnOnce(message, options)
  }
  return logger
}

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  customLogger: createQuietLogger(command),
  plugins: [preact()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // dev/web-budget.test.ts reads which files a page loads.
    manifest: true,
    // Names contain a hash of the content, so browsers keep these files forever (public/_headers).
    assetsDir: 'app',
    // The Content-Security-Policy does not allow data URLs of fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
  // The build of prerender.tsx runs in Node.
  ssr: { noExternal: true },
  server: {
    // The pages show examples of the documentation.
    fs: { allow: [join(import.meta.dirname, '..')] },
    // The folder web/api is a part of the page.
    proxy: { '^/(api/v1|docs|files)/': API_URL },
  },
}))
