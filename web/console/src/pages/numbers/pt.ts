export const numbersPt = {
  title: 'Números',
};
