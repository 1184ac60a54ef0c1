import { z } from '@hono/zod-openapi'
import { Batch } from '../batches/schemas.ts'
import { route } from '../http/route.ts'
import { Job } from '../jobs/schemas.ts'
import { PLAN_ERRORS, SUBMIT_ERRORS } from '../jobs/submit-errors.ts'
import { deleteTemplate } from './remove.ts'
import { saveTemplate } from './save.ts'
import {
  Template,
  TemplateBatchRun,
  TemplateDetails,
  TemplateJobRun,
  TemplatePath,
  TemplateSave,
  TemplateVersion,
  TemplateVersionPath,
} from './schemas.ts'
import { showTemplate, showTemplates, showTemplateVersion } from './show.ts'
import { submitTemplateBatch, submitTemplateJob } from './submit.ts'

const tag = 'Templates'

export const templateRoutes = [
  route({
    method: 'put',
    path: '/api/v1/templates/{template_name}',
    name: 'templates.save',
    access: 'either',
    tag,
    summary: 'Save a template: a named chain of operations with their parameters',
    description:
      'Creates the template, or adds a version if the operations have changed. Versions never change. The content ' +
      'is validated like the job that it expands to, and errors name the parameters of that job.',
    params: TemplatePath,
    body: TemplateSave,
    answer: { status: 200, description: 'The template with its latest version', schema: Template },
    errors: [...PLAN_ERRORS, 'too_many_templates', 'too_many_template_versions', 'templates_too_large'],
    handle: ({ deps, caller, path, body }) => saveTemplate(deps, caller, path.template_name, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/templates',
    name: 'templates.list',
    access: 'either',
    tag,
    summary: 'List the templates of the account by name, each with its latest version',
    answer: { status: 200, description: 'The templates', schema: z.array(Template) },
    handle: ({ deps, caller }) => showTemplates(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/templates/{template_name}',
    name: 'templates.get',
    access: 'either',
    tag,
    summary: 'Show a template with all of its versions',
    params: TemplatePath,
    answer: { status: 200, description: 'The template', schema: TemplateDetails },
    errors: ['template_not_found'],
    handle: ({ deps, caller, path }) => showTemplate(deps, caller, path.template_name),
  }),
  route({
    method: 'get',
    path: '/api/v1/templates/{template_name}/versions/{version}',
    name: 'templates.getVersion',
    access: 'either',
    tag,
    summary: 'Show one version of a template',
    params: TemplateVersionPath,
    answer: { status: 200, description: 'The version', schema: TemplateVersion },
    errors: ['template_not_found'],
    handle: ({ deps, caller, path }) => showTemplateVersion(deps, caller, path.template_name, path.version),
  }),
  route({
    method: 'delete',
    path: '/api/v1/templates/{template_name}',
    name: 'templates.delete',
    access: 'either',
    tag,
    summary: 'Delete a template with its versions; jobs that used it are not affected',
    params: TemplatePath,
    answer: { status: 204, description: 'The template was deleted', schema: null },
    errors: ['template_not_found'],
    handle: ({ deps, caller, path }) => deleteTemplate(deps, caller, path.template_name),
  }),
  route({
    method: 'post',
    path: '/api/v1/templates/{template_name}/jobs',
    name: 'templates.submitJob',
    access: 'either',
    tag,
    summary: 'Submit a job by the name of a template',
    params: TemplatePath,
    body: TemplateJobRun,
    idempotent: true,
    submits: true,
    answer: { status: 201, description: 'The job, queued and charged its base price', schema: Job },
    errors: [...SUBMIT_ERRORS, 'template_not_found'],
    handle: ({ deps, caller, path, body, record }) =>
      submitTemplateJob(deps, caller, path.template_name, body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/templates/{template_name}/batches',
    name: 'templates.submitBatch',
    access: 'either',
    tag,
    summary: 'Submit a batch of files by the name of a template',
    params: TemplatePath,
    body: TemplateBatchRun,
    idempotent: true,
    submits: true,
    answer: {
      status: 201,
      description: 'The batch, with every file queued and charged its base price',
      schema: Batch,
    },
    errors: [...SUBMIT_ERRORS, 'template_not_found'],
    handle: ({ deps, caller, path, body, record }) =>
      submitTemplateBatch(deps, caller, path.template_name, body, record),
  }),
]
