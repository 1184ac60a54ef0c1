import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import {
  AdministeredPackage,
  AdministeredPlan,
  AdministeredPromotion,
  PackageChange,
  PackageCreate,
  PackagePath,
  PlanChange,
  PlanCreate,
  PlanPath,
  PromotionChange,
  PromotionCreate,
  PromotionPath,
} from './offer-schemas.ts'
import { changePackage, createPackage, listAllPackages } from './packages.ts'
import { changePlan, createPlan, listAllPlans } from './plans.ts'
import { changePromotion, createPromotion, listPromotions, retirePromotion } from './promotions.ts'

const tag = 'Administration'
const access = 'admin'

const packageRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/packages',
    name: 'admin.listPackages',
    access,
    tag,
    summary: 'List packs, including retired ones',
    answer: { status: 200, description: 'The packs', schema: z.array(AdministeredPackage) },
    handle: ({ deps }) => listAllPackages(deps),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/packages',
    name: 'admin.createPackage',
    access,
    tag,
    summary: 'Create a pack',
    body: PackageCreate,
    answer: { status: 201, description: 'The pack', schema: AdministeredPackage },
    handle: ({ deps, caller, body }) => createPackage(deps, caller, body),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/packages/{package_id}',
    name: 'admin.updatePackage',
    access,
    tag,
    summary: 'Change or retire a pack',
    params: PackagePath,
    body: PackageChange,
    answer: { status: 200, description: 'The pack', schema: AdministeredPackage },
    errors: ['package_not_found'],
    handle: ({ deps, caller, path, body }) => changePackage(deps, caller, path.package_id, body),
  }),
]

const planRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/plans',
    name: 'admin.listPlans',
    access,
    tag,
    summary: 'List plans with their terms, including retired ones',
    answer: { status: 200, description: 'The plans', schema: z.array(AdministeredPlan) },
    handle: ({ deps }) => listAllPlans(deps),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/plans',
    name: 'admin.createPlan',
    access,
    tag,
    summary: 'Create a plan',
    body: PlanCreate,
    answer: { status: 201, description: 'The plan', schema: AdministeredPlan },
    errors: ['slug_taken'],
    handle: ({ deps, caller, body }) => createPlan(deps, caller, body),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/plans/{plan_id}',
    name: 'admin.updatePlan',
    access,
    tag,
    summary: 'Change or retire a plan; existing subscribers keep the better price and allowance',
    params: PlanPath,
    body: PlanChange,
    answer: { status: 200, description: 'The plan', schema: AdministeredPlan },
    errors: ['plan_not_found'],
    handle: ({ deps, caller, path, body }) => changePlan(deps, caller, path.plan_id, body),
  }),
]

const promotionRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/promotions',
    name: 'admin.listPromotions',
    access,
    tag,
    summary: 'List promotions, newest first',
    answer: { status: 200, description: 'The promotions', schema: z.array(AdministeredPromotion) },
    handle: ({ deps }) => listPromotions(deps),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/promotions',
    name: 'admin.createPromotion',
    access,
    tag,
    summary: 'Create a temporary discount on a plan or pack',
    body: PromotionCreate,
    answer: { status: 201, description: 'The promotion', schema: AdministeredPromotion },
    errors: [
      'package_not_found',
      'plan_not_found',
      'promotion_over',
      'promotion_begun',
      'promotion_overlaps',
    ],
    handle: ({ deps, caller, body }) => createPromotion(deps, caller, body),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/promotions/{promotion_id}',
    name: 'admin.updatePromotion',
    access,
    tag,
    summary: 'Change a promotion; after it starts, only an earlier end is accepted',
    params: PromotionPath,
    body: PromotionChange,
    answer: { status: 200, description: 'The promotion', schema: AdministeredPromotion },
    errors: ['promotion_not_found', 'promotion_over', 'promotion_begun', 'promotion_overlaps'],
    handle: ({ deps, caller, path, body }) => changePromotion(deps, caller, path.promotion_id, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/promotions/{promotion_id}/retire',
    name: 'admin.retirePromotion',
    access,
    tag,
    summary: 'End a promotion now, or withdraw one that has not started',
    params: PromotionPath,
    answer: { status: 200, description: 'The promotion', schema: AdministeredPromotion },
    errors: ['promotion_not_found', 'promotion_over'],
    handle: ({ deps, caller, path }) => retirePromotion(deps, caller, path.promotion_id),
  }),
]

export const offerAdministrationRoutes = [...packageRoutes, ...planRoutes, ...promotionRoutes]
