import { z } from '@hono/zod-openapi'
import { Tool } from '../contract/tool.ts'
import { route } from '../http/route.ts'
import { listTools } from '../services/catalogue/tools.ts'

export const studioRoutes = [
  route({
    method: 'get',
    path: '/api/v1/studio/tools',
    access: 'none',
    tag: 'Studio',
    summary: 'All operations, their parameters and presets',
    answer: { status: 200, description: 'The catalogue', schema: z.array(Tool) },
    handle: ({ deps }) => listTools(deps),
  }),
]
