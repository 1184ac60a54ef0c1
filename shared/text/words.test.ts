import { expect, test } from 'vitest'
import { countText, didYouMean, lengthText, listAny, sizeText, waitText } from './words.ts'

test.each([
  [1, '1 file', '1 файл', '1 файл'],
  [2, '2 files', '2 файли', '2 файла'],
  [5, '5 files', '5 файлів', '5 файлов'],
  [11, '11 files', '11 файлів', '11 файлов'],
  [21, '21 files', '21 файл', '21 файл'],
  [22, '22 files', '22 файли', '22 файла'],
  [112, '112 files', '112 файлів', '112 файлов'],
  [0, '0 files', '0 файлів', '0 файлов'],
])('%i files are counted in every language', (count, en, uk, ru) => {
  expect(countText('en', count, 'file')).toBe(en)
  expect(countText('uk', count, 'file')).toBe(uk)
  expect(countText('ru', count, 'file')).toBe(ru)
})

test.each([
  [1, 'in 1 second', 'через 1 секунду', 'через 1 секунду'],
  [90, 'in 90 seconds', 'через 90 секунд', 'через 90 секунд'],
  [91, 'in 2 minutes', 'через 2 хвилини', 'через 2 минуты'],
  [90 * 60, 'in 90 minutes', 'через 90 хвилин', 'через 90 минут'],
  [90 * 60 + 1, 'in 2 hours', 'через 2 години', 'через 2 часа'],
  [1436 * 60, 'in 24 hours', 'через 24 години', 'через 24 часа'],
])('a wait of %i s is rounded up to a readable number', (seconds, en, uk, ru) => {
  expect(waitText('en', seconds)).toBe(en)
  expect(waitText('uk', seconds)).toBe(uk)
  expect(waitText('ru', seconds)).toBe(ru)
})

test.each([
  [1, '1 byte', '1 байт'],
  [1000, '1000 bytes', '1000 байтів'],
  [2000, '2 KB', '2 КБ'],
  [20 * 1024 ** 2, '20 MB', '20 МБ'],
  [1.25 * 1024 ** 3, '1.3 GB', '1,3 ГБ'],
])('%i bytes are written as %s', (bytes, en, uk) => {
  expect(sizeText('en', bytes)).toBe(en)
  expect(sizeText('uk', bytes)).toBe(uk)
})

test.each([
  [2530, '42 min 10 s', '42 хв 10 с', '42 мин 10 с'],
  [7200, '2 h', '2 год', '2 ч'],
  [0, '0 s', '0 с', '0 с'],
])('a length of %i s is written in units', (seconds, en, uk, ru) => {
  expect(lengthText('en', seconds)).toBe(en)
  expect(lengthText('uk', seconds)).toBe(uk)
  expect(lengthText('ru', seconds)).toBe(ru)
})

test('alternatives and suggestions are written in the language', () => {
  expect(listAny('en', ['GET', 'POST'])).toBe('GET or POST')
  expect(listAny('uk', ['GET', 'POST'])).toBe('GET або POST')
  expect(listAny('ru', ['GET', 'POST'])).toBe('GET или POST')
  expect(didYouMean('uk', 'trim')).toBe('Можливо, ви мали на увазі trim?')
  expect(didYouMean('uk', undefined)).toBe('')
})
