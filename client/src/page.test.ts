import { expect, test } from 'vitest'
import { makeGroup } from './groups.ts'
import { parseNextLink } from './page.ts'
import { Transport } from './transport.ts'

test.each([
  [
    '<https://media.example.com/api/v1/jobs?cursor=a%2Cb>; rel="next"',
    'https://media.example.com/api/v1/jobs?cursor=a%2Cb',
  ],
  ['</first>; rel="first", </second>; rel="next"', '/second'],
  ['</both>; title="x"; rel="last next"', '/both'],
  ['</plain>; rel=next', '/plain'],
  ['</last>; rel="prev"', null],
  ['</nextdoor>; rel="nextdoor"', null],
  ['', null],
  [null, null],
])('the next page of %j is %j', (header, target) => {
  expect(parseNextLink(header)).toBe(target)
})

/** Visits all jobs of a service with the given pages, and lists the requested paths. */
async function visit(query: object, answer: (path: string) => Response) {
  const paths: string[] = []
  const transport = new Transport({
    apiUrl: 'https://media.example.com',
    apiKey: undefined,
    language: undefined,
    maxRetries: 0,
    maxWaitMs: 0,
    timeoutMs: 1000,
    fetch: async (url) => {
      const { pathname, search } = new URL(String(url))
      paths.push(pathname + search)
      return answer(pathname + search)
    },
  })
  const ids: string[] = []
  for await (const { id } of makeGroup(transport, 'jobs').list(query)) ids.push(id)
  return { paths, ids }
}

const jobs = (...ids: string[]) => ids.map((id) => ({ id }))

test('a visit counts offsets until a page is not full', async () => {
  const { paths, ids } = await visit({ limit: 2, mine: true }, (path) =>
    Response.json(path.includes('offset') ? jobs('c') : jobs('a', 'b')),
  )
  expect(ids).toEqual(['a', 'b', 'c'])
  expect(paths).toEqual(['/api/v1/jobs?limit=2&mine=true', '/api/v1/jobs?limit=2&mine=true&offset=2'])
})

test('a visit without a limit ends with an empty page', async () => {
  const { paths, ids } = await visit({}, (path) => Response.json(path.includes('offset') ? [] : jobs('a')))
  expect([ids, paths]).toEqual([['a'], ['/api/v1/jobs', '/api/v1/jobs?offset=1']])
})

test('a visit ends with a full page whose links name no next page', async () => {
  const { paths } = await visit({ limit: 1, status: ['failed', 'done'] }, () =>
    Response.json(jobs('a'), { headers: { link: '</api/v1/jobs?limit=1>; rel="first"' } }),
  )
  expect(paths).toEqual(['/api/v1/jobs?limit=1&status=failed%2Cdone'])
})

test('a visit follows links to the next page, and ends with the page that has none', async () => {
  const { paths, ids } = await visit({ limit: 1 }, (path) =>
    path.includes('cursor')
      ? Response.json(jobs('b'))
      : Response.json(jobs('a'), { headers: { link: '</api/v1/jobs?cursor=x>; rel="next"' } }),
  )
  expect([ids, paths]).toEqual([
    ['a', 'b'],
    ['/api/v1/jobs?limit=1', '/api/v1/jobs?cursor=x'],
  ])
})
