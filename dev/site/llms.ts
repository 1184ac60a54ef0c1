import { DOCUMENTED_URL } from '../../edge/documentation/documented-url.ts'
import { addressOfPage, listPages, type SiteGroup } from './page.ts'

/** Returns llms.txt: an index of the Markdown pages for language models (llmstxt.org). */
export function llmsText(groups: readonly SiteGroup[]): string {
  const sections = groups.map((group) => {
    const links = listPages([group]).map((page) => {
      const address = page.path === 'index' ? '/docs/index' : addressOfPage(page)
      return `- [${page.title}](${DOCUMENTED_URL}${address}.md): ${page.description}`
    })
    return `## ${group.label}\n\n${links.join('\n')}`
  })
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`
}

const INTRODUCTION = `# Media processing API

> Processes videos, images and public video links through one HTTP API. Jobs are paid from one balance of credits, by processing time.

Send an API key as \`X-Api-Key\`. Submit a file with \`POST /api/v1/jobs/upload\`, or JSON with \`POST /api/v1/jobs/api\`, then poll \`GET /api/v1/jobs/{job_id}\`. The OpenAPI document is at ${DOCUMENTED_URL}/openapi.json.`
