$var = " fee "
"${var.strip.upcase}"