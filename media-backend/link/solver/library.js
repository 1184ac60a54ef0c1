// biome-ignore assist/source/organizeImports: the order of the imports decides the order of the result
import { parse } from 'meriyah'
import { generate } from 'astring'

export const meriyah = { parse }
export const astring = { generate }
