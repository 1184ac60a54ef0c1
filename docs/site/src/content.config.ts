import { defineCollection } from 'astro:content'
import { docsSchema } from '@astrojs/starlight/schema'
import { glob } from 'astro/loaders'

export const collections = {
  docs: defineCollection({
    loader: glob({ pattern: '**/*.md', base: new URL('../../../dist/site/pages', import.meta.url) }),
    schema: docsSchema(),
  }),
}
