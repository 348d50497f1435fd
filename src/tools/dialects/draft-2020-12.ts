import ajv from 'ajv/dist/2020.js';
import {openDialect} from './dialect.ts';

export const dialect = openDialect(ajv.Ajv2020);
