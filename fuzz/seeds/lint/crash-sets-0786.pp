class {
  
}