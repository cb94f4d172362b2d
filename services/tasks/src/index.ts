import { serviceOf } from "#shared/service.ts";
import { operations } from "./operations.ts";

export default class TasksService extends serviceOf(operations) {}
