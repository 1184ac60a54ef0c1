import { expect, test } from 'vitest'
import { hardenPage } from './harden.ts'

function harden(html: string) {
  const extracted = { styles: new Map<string, string>(), scripts: new Map<string, string>() }
  return { html: hardenPage(html, '/docs', extracted), ...extracted }
}

test('moves an inline script into a file and keeps its attributes', () => {
  const { html, scripts } = harden(
    '<script aria-hidden="true">go()</script><script type="module" src="/a.js"></script>',
  )
  const [[hash, code] = []] = [...scripts]
  expect(code).toBe('go()')
  expect(html).toBe(
    `<script aria-hidden="true" src="/docs/inline/${hash}.js"></script><script type="module" src="/a.js"></script>`,
  )
})

test('moves style attributes into classes, and shares equal ones', () => {
  const { html, styles } = harden(
    '<i style="--a:1">x</i><b class="c" style="--a:1">y</b><i style="--a:2">z</i>',
  )
  const [[one] = [], [two] = []] = [...styles]
  expect([...styles.values()]).toEqual(['--a:1', '--a:2'])
  expect(html).toBe(`<i class="i-${one}">x</i><b class="i-${one} c">y</b><i class="i-${two}">z</i>`)
})

test('keeps tags whose attributes contain angle brackets or the word style', () => {
  const code = '<button data-code="a > b style=&#34;c&#34;" title="x"></button>'
  const quoted = '<button data-code="<script>go()</script><i style=\'a\'>" title="x"></button>'
  expect([harden(code).html, harden(quoted).html]).toEqual([code, quoted])
})

test('links the classes in the head', () => {
  expect(harden('<head></head>').html).toBe(
    '<head><link rel="stylesheet" href="/docs/inline/styles.css"></head>',
  )
})
