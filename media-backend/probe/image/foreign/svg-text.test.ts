import { expect, test } from 'vitest'
import { findActivePart, readSvgSize } from './svg-text.ts'

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`

test.each([
  ['width="40" height="30"', 40, 30],
  ['width="1in" height="10mm"', 96, 38],
  ["viewBox='0 0 120 80'", 120, 80],
  ['viewBox="0,0,120,80" width="60"', 60, 40],
  ['width="100%" height="100%" viewBox="0 0 12 8"', 12, 8],
  ['', 300, 150],
])('an SVG with %s has %i x %i pixels', (attributes, width, height) => {
  expect(readSvgSize(svg('<rect width="5" height="7"/>', attributes))).toEqual({ width, height })
})

test.each([
  [svg('<script>alert(1)</script>'), 'scripts'],
  [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, 'entities'],
  [svg('<image width="9" href="https://example.com/a.png"/>'), 'references'],
  [svg('<image xlink:href="file:///etc/passwd"/>'), 'references'],
  [svg('<use href="other.svg#part"/>'), 'references'],
  [svg('<rect fill="url(other.svg#part)"/>'), 'references'],
  [svg('<style>@import "https://example.com/a.css"</style>'), 'references'],
  [`<?xml-stylesheet href="a.css"?>${svg('')}`, 'references'],
  [svg('<use href="#part"/><rect fill="url(#part)"/><image href="data:image/png;base64,AA=="/>'), null],
  [svg('<a href="https://example.com"><rect/></a>'), null],
  [svg('<!-- <script> -->'), null],
])('%s: %s', (text, part) => {
  expect(findActivePart(text)).toBe(part)
})
