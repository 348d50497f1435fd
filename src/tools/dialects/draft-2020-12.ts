import ajv from 'ajv/dist/2020.js';
import {openDialect} from './dialect.ts';

/** Bundling keeps a CommonJS module's default, but not its names. */
export const dialect = openDialect(ajv.Ajv2020);
