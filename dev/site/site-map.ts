import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { firstSentence } from '../docs/first-sentence.ts'
import { addressOf } from '../docs/operation-section.ts'
import { ALL_OPERATIONS, GROUPS } from '../docs/page.ts'
import { ROOT } from '../system/root.ts'
import { readApiDocument } from './api-document.ts'
import { endpointPages, endpointsOverview } from './endpoint-pages.ts'
import { siteErrorsPage } from './errors-page.ts'
import { readGuide } from './guides.ts'
import { operationPage, pathOf } from './operation-page.ts'
import type { SiteGroup, SitePage } from './page.ts'

/** The guides in the order of the sidebar. */
const START = ['index', 'quick-start']
const GUIDES = [
  'uploads',
  'waiting',
  'webhooks',
  'browsers',
  'batches',
  'templates',
  'storage',
  'typescript',
  'command-line',
  'errors',
  'idempotency',
  'limits',
  'billing',
  'retention',
  'accounts',
  'examples',
]

/** Builds all pages of the site, in the order of the sidebar. */
export function buildSiteMap(): SiteGroup[] {
  const document = readApiDocument()
  const endpoints = endpointPages(document)
  return [
    { label: 'Start', items: START.map(readGuide) },
    { label: 'Guides', items: GUIDES.map((name) => readGuide(`guides/${name}`)) },
    { label: 'Operations', items: [operationsOverview(), ...operationGroups()] },
    {
      label: 'API reference',
      items: [
        endpointsOverview(document, [...endpoints.own, ...endpoints.administration]),
        siteErrorsPage(),
        changelogPage(),
        { label: 'Endpoints', collapsed: true, items: endpoints.own },
        { label: 'For administrators', collapsed: true, items: endpoints.administration },
      ],
    },
  ]
}

/** Returns CHANGELOG.md as a page of the site. */
function changelogPage(): SitePage {
  const [, body = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^# Changelog\n/m)
  return { path: 'changelog', title: 'Changelog', description: 'What changes for users of the API.', body }
}

function operationGroups(): SiteGroup[] {
  return GROUPS.map(({ title, holds }) => ({
    label: title,
    collapsed: true,
    items: OPERATIONS.filter(holds).map(operationPage),
  }))
}

function operationsOverview(): SitePage {
  const tables = GROUPS.flatMap(({ title, holds }) => [
    `## ${title}`,
    ['| Operation | What it does |', '| --- | --- |', ...OPERATIONS.filter(holds).map(overviewRow)].join(
      '\n',
    ),
  ])
  return {
    path: 'operations',
    title: 'All operations',
    description: `The ${OPERATIONS.length} operations for videos, links and images, and what they have in common.`,
    body: [...tables, ALL_OPERATIONS].join('\n\n'),
  }
}

function overviewRow(operation: (typeof OPERATIONS)[number]): string {
  const link = `[${addressOf(operation)}](/docs/${pathOf(operation)})`
  return `| ${link} | ${firstSentence(operation.description)[0]} |`
}
