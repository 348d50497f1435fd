import ajv from 'ajv';
import {openDialect} from './dialect.ts';

export const dialect = openDialect(ajv.Ajv);
