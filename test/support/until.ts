export { until } from '@prosa/testing';
