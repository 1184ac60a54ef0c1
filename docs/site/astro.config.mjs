// Configuration of the documentation site, which dev/site/build.ts builds.
import { readFileSync } from 'node:fs'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

const work = new URL('../../dist/site/', import.meta.url)

export default defineConfig({
  base: '/docs',
  outDir: '../../dist/site/html',
  cacheDir: '../../dist/site/cache',
  trailingSlash: 'never',
  // The edge serves `quick-start.html` as /docs/quick-start.
  build: { format: 'file', inlineStylesheets: 'never' },
  vite: {
    cacheDir: '../../dist/site/vite',
    // The Content-Security-Policy allows no inline code.
    build: { assetsInlineLimit: 0 },
    // The pages are rendered from the output folder, where Node cannot find the packages of Astro.
    environments: { prerender: { resolve: { noExternal: true, external: ['sharp'] } } },
  },
  integrations: [
    starlight({
      title: 'Media processing API',
      favicon: '/favicon.svg',
      customCss: ['./src/styles/site.css'],
      sidebar: JSON.parse(readFileSync(new URL('sidebar.json', work), 'utf8')),
      // Long lines wrap, so that no code scrolls sideways on a phone.
      expressiveCode: { defaultProps: { wrap: true } },
    }),
  ],
})
